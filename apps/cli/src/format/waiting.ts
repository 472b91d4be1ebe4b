import { roundTaskId } from '#lib/decisions/session';
import { isJsonObject, type Json, jsonLine, type JsonObject, oneLine } from '#lib/kernel';
import type { AwaitedItem, InboxItem } from '#lib/decisions/metrics';
import { NeedsPerson } from '../error-classes.js';
import type { Paint } from '../io.js';
import type { AnswerOf, Call } from '../operations/call-operation.js';
import { PROPOSALS } from './lists.js';
import { table } from './table.js';

const LONGEST_COMMAND = 1000;

/** Everything that waits for a person. */
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
    conversationId === undefined ? ['runs', 'signal', runId] : ['conversations', 'signal', conversationId];
  const answer = [...to, signal, '--await', awaitId, '--payload', '<json>'];
  return [
    `${paint('bold', `run ${runId}`)}  ${workflow}, waits for ${oneLine(signal)} since ${since}`,
    ...(prompt === undefined ? [] : [`  ${jsonLine(prompt, 140)}`]),
    `  ${command(answer, dataDir)}`,
  ];
}

/** A waiting session, and the commands that decide it. */
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
function waitingDetails(waiting: InboxItem, dataDir: string | undefined): readonly string[] {
  const { proposals } = waiting;
  return [
    ...(proposals.length === 0 ? [] : table(PROPOSALS, proposals).map((line) => line.replace('  ', ''))),
    ...commands(waiting, dataDir),
  ];
}

function commands(waiting: InboxItem, dataDir: string | undefined): readonly string[] {
  const { machineName, transitions, people, candidates, proposals } = waiting;
  const register = ['specialists', 'register', SOMEBODY, '--machine', machineName, '--human'];
  const accept = proposals
    .filter(
      ({ transitionName: name, metaJson }) => metaJson && requiredArguments(transitions[name]?.parameters)[0],
    )
    .map(({ proposalId }) => decision(waiting, '--accept', proposalId));
  const decide = Object.entries(transitions).map(([name, { parameters }]) => [
    ...decision(waiting, name),
    ...requiredArguments(parameters),
  ]);
  const isSomebodyNeeded = people.length === 0 && !candidates;
  return [...(isSomebodyNeeded ? [register] : []), ...accept, ...decide].map((words) =>
    command(words, dataDir),
  );
}

const SOMEBODY = 'somebody';

/**
 * If the definition names who decides, a human specialist may not be among them: then one of the named people answers the task.
 * @param choice a transition, or a proposal that is accepted with its arguments
 */
function decision(
  { sessionId, roundId, people: [human = SOMEBODY], candidates }: InboxItem,
  ...choice: [transitionName: string] | [accept: '--accept', proposalId: string]
): readonly string[] {
  if (!candidates) return ['decide', sessionId, ...choice, '--as', human];
  const [candidate = '<candidate>'] = candidates.people;
  const task = roundTaskId(sessionId, roundId);
  const chosen = choice.length === 1 ? ['--transition', ...choice] : choice;
  return ['tasks', 'answer', task, ...chosen, '--act-as', candidate];
}

/** `--args` with the names of those that a transition requires, each with a place for its value. */
function requiredArguments(parameters: JsonObject = {}): readonly string[] {
  const { required = [], properties = {} } = parameters as ArgumentsSchema;
  if (required.length === 0) return [];
  const members = required.map((name) => `${JSON.stringify(name)}:<${typeIn(properties[name])}>`);
  return ['--args', `{${members.join(',')}}`];
}

interface ArgumentsSchema {
  readonly required?: readonly string[];
  readonly properties?: JsonObject;
}

function typeIn(schema: Json | undefined): string {
  const type = isJsonObject(schema) ? schema['type'] : undefined;
  return typeof type === 'string' ? type : 'json';
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

/** Lists the tasks and sessions that wait for people. */
export interface Waits {
  getInbox(
    this: void,
    asked: { readonly sessionId: string },
  ): Promise<{ readonly items: readonly (InboxItem | AwaitedItem)[] }>;
  listTasks(this: void, asked: { readonly sessionId: string }): Promise<AnswerOf<'listTasks'>>;
}

export function waitsBy(call: Call): Waits {
  return {
    getInbox: (asked) => call('getInbox', asked),
    listTasks: (asked) => call('listTasks', asked),
  };
}

/** The error for a session that waits for a person: the reason, the proposals, and the commands that decide. */
export async function needsPerson(
  { getInbox, listTasks }: Waits,
  sessionId: string,
  dataDir: string | undefined,
): Promise<NeedsPerson> {
  const { items } = await getInbox({ sessionId });
  const waiting = items.find((item) => item.kind === 'decision');
  if (!waiting) return ofRuns(await listTasks({ sessionId }), sessionId, dataDir);
  const { reason, people, candidates, currentState, detail } = waiting;
  const first = people.length === 0 && !candidates ? 'Register a person and decide' : 'Decide';
  // A proposer is not asked twice in a round by steps.
  const again = reason === 'no-proposals' ? ', or ask a proposer again with redial propose' : '';
  return new NeedsPerson(
    `session ${sessionId} waits for a person in ${oneLine(currentState)}`,
    oneLine(detail, 300),
    `${first} with one of these commands${again}`,
    waitingDetails(waiting, dataDir),
  );
}

/** Runs for the session wait: their tasks are answered. */
function ofRuns(
  { items }: AnswerOf<'listTasks'>,
  sessionId: string,
  dataDir: string | undefined,
): NeedsPerson {
  const [first] = items;
  if (!first) {
    const what = `session ${sessionId} has waited for a person`;
    return new NeedsPerson(what, 'another caller decided it', 'Look at it with redial inspect');
  }
  const answers = items.map(({ taskId, kind, candidates: { people } }) => {
    const choice = kind === 'approval' ? ['--approve'] : ['--payload', '<json>'];
    const who = people[0] === undefined ? [] : ['--act-as', people[0]];
    return command(['tasks', 'answer', taskId, ...choice, ...who], dataDir);
  });
  return new NeedsPerson(
    `session ${sessionId} waits for a person`,
    oneLine(`${first.title}. ${first.detail}`, 300),
    'Answer with one of these commands; redial tasks show prints the task',
    answers,
  );
}
