import type { AwaitedItem, InboxItem } from '#lib/monitoring';
import { jsonLine, oneLine } from './one-line.js';
import type { Paint } from './paint.js';
import { proposalLines } from './session-lines.js';

const LONGEST_COMMAND = 1000;

/** All that waits for a person. */
export function inboxLines(
  { items }: { readonly items: readonly (InboxItem | AwaitedItem)[] },
  paint: Paint,
  dataDir: string | undefined,
): readonly string[] {
  if (items.length === 0) return ['no session or run waits for a person'];
  return items.flatMap((item, index) => [
    ...(index === 0 ? [] : ['']),
    ...(item.kind === 'decision' ? waitingLines(item, paint, dataDir) : awaitedLines(item, paint, dataDir)),
  ]);
}

/** A run that waits, and the command that answers it. */
function awaitedLines(awaited: AwaitedItem, paint: Paint, dataDir: string | undefined): readonly string[] {
  const { runId, workflow, conversationId, signal, awaitId, since, prompt } = awaited;
  const to =
    conversationId === undefined ? ['run', 'signal', runId] : ['conversation', 'signal', conversationId];
  const answer = [...to, signal, '--await', awaitId, '--payload', '<json>'];
  return [
    `${paint('bold', `run ${runId}`)}  ${workflow}, waits for ${oneLine(signal)} since ${since}`,
    ...(prompt === undefined ? [] : [`  ${jsonLine(prompt, 140)}`]),
    `  ${command(answer, dataDir)}`,
  ];
}

/** A session that waits, and how it is decided. */
function waitingLines(waiting: InboxItem, paint: Paint, dataDir: string | undefined): readonly string[] {
  const { sessionId, machineName, currentState, since, prompt, detail, metaJson } = waiting;
  return [
    `${paint('bold', `session ${sessionId}`)}  ${machineName} in ${oneLine(currentState)}, waits since ${since}`,
    ...(prompt === '' ? [] : [`  ${oneLine(prompt, 140)}`]),
    ...(metaJson === undefined ? [] : [`  ${jsonLine(metaJson, 140)}`]),
    `  ${paint('yellow', 'a person is needed')}: ${oneLine(detail, 140)}`,
    ...waitingDetails(waiting, dataDir).map((line) => `  ${line}`),
  ];
}

/** The proposals, and a command for each possible decision. */
export function waitingDetails(waiting: InboxItem, dataDir: string | undefined): readonly string[] {
  const { proposals } = waiting;
  return [
    ...(proposals.length === 0 ? [] : proposalLines(proposals).map((line) => line.replace('  ', ''))),
    ...commands(waiting, dataDir),
  ];
}

function commands(
  { sessionId, machineName, transitions, people: [person] }: InboxItem,
  dataDir: string | undefined,
): readonly string[] {
  const somebody = person ?? 'somebody';
  const register = ['specialists', 'register', somebody, '--machine', machineName, '--human'];
  const decide = Object.keys(transitions).map((name) => ['decide', sessionId, name, '--as', somebody]);
  return [...(person === undefined ? [register] : []), ...decide].map((words) => command(words, dataDir));
}

/** A command line of redial, to copy. */
export function command(words: readonly string[], dataDir: string | undefined): string {
  const there = dataDir === undefined ? [] : ['--data-dir', dataDir];
  return oneLine(['redial', ...words, ...there].map(shellWord).join(' '), LONGEST_COMMAND);
}

/** A word as a POSIX shell takes it. */
function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
