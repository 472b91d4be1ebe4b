import type { WaitingSession } from '../waiting/waiting-session.js';
import { jsonLine, oneLine } from './one-line.js';
import type { Paint } from './paint.js';
import { proposalLines } from './session-lines.js';
import { shellWord } from './shell-word.js';

const LONGEST_COMMAND = 1000;

/** A session that waits, and how it is decided. */
export function waitingLines(
  waiting: WaitingSession,
  paint: Paint,
  dataDir: string | undefined,
): readonly string[] {
  const { sessionId, machineName, currentState, since, prompt, detail, metaJson } = waiting;
  return [
    `${paint('bold', `session ${sessionId}`)}  ${machineName} in ${oneLine(currentState)}, waits since ${since}`,
    ...(prompt === '' ? [] : [`  ${oneLine(prompt, 140)}`]),
    ...(metaJson === undefined ? [] : [`  ${jsonLine(metaJson, 140)}`]),
    `  ${paint('yellow', 'a person is needed')}: ${oneLine(detail, 140)}`,
    ...waitingDetails(waiting, dataDir).map((line) => `  ${line}`),
  ];
}

/** What was proposed, and a command for each way to decide. */
export function waitingDetails(waiting: WaitingSession, dataDir: string | undefined): readonly string[] {
  const { proposals } = waiting;
  return [
    ...(proposals.length === 0 ? [] : proposalLines(proposals).map((line) => line.replace('  ', ''))),
    ...commands(waiting, dataDir),
  ];
}

function commands(
  { sessionId, machineName, transitions, people: [person] }: WaitingSession,
  dataDir: string | undefined,
): readonly string[] {
  const there = dataDir === undefined ? [] : ['--data-dir', dataDir];
  const command = (...words: readonly string[]) =>
    oneLine(['redial', ...words, ...there].map(shellWord).join(' '), LONGEST_COMMAND);
  const somebody = person ?? 'somebody';
  const register = command('specialists', 'register', somebody, '--machine', machineName, '--human');
  return [
    ...(person === undefined ? [register] : []),
    ...Object.keys(transitions).map((name) => command('decide', sessionId, name, '--as', somebody)),
  ];
}
