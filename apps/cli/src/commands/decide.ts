import { type JsonObject, oneLine, present } from '#lib/kernel';
import { InvalidInput, NotDecided } from '../error-classes.js';
import { arbitrationLines } from '../format/sessions.js';
import { sessionIdOf } from '../input/named-id.js';
import { namedServer } from '../input/named-server.js';
import type { MetaOptions } from '../input/options.js';
import { readMeta, readObject } from '../input/read-json.js';
import { type Io, printResult } from '../io.js';
import { type AnswerOf, type Call, withOperations } from '../operations/call-operation.js';
import { type ArbitrationResult, roundTaskId } from '#lib/decisions/session';
import { type PersonOptions, sendAnswer, shownDigest } from './answer-task.js';
import { keyedCommandId, OPERATOR, scopeOfKey } from '#lib/operations/core';
import { everyItem } from '../operations/every-item.js';

interface DecideOptions extends PersonOptions, MetaOptions {
  readonly as?: string;
  readonly accept?: string;
  readonly args?: string;
  readonly reasoning?: string;
}

/** The choice of a person: a proposal, or a transition. */
type Chosen = { readonly proposalId: string } | { readonly transitionName: string };

/** A person answers the task of the round, which is shown. As a human specialist, or before the round asks for people, they arbitrate. */
export async function decide(options: DecideOptions, io: Io, session: string, transitionName?: string) {
  const chosen = choiceOf(options, transitionName);
  const sessionId = await sessionIdOf(session, { dataDir: options.dataDir, server: namedServer(options) });
  const metaJson = readObject('--args', options.args) ?? (await readMeta(options));
  const given = { ...chosen, ...(metaJson && { metaJson }) };
  const first = options.as === undefined ? 'answerTask' : 'submitArbitration';
  await withOperations(first, options, io, async (call) => {
    const task = options.as === undefined ? await taskOf(call, options, sessionId) : undefined;
    if (task) await answered(call, options, io, task, given);
    else await arbitrated(call, options, io, { sessionId, ...given });
    const { status } = await call('getSession', { sessionId });
    if (status === 'open') io.err.write(`continue with redial drive ${sessionId}\n`);
  });
}

/** @throws InvalidInput unless one of both is given */
function choiceOf({ accept }: DecideOptions, transitionName: string | undefined): Chosen {
  if (accept !== undefined && transitionName === undefined) return { proposalId: accept };
  if (accept === undefined && transitionName !== undefined) return { transitionName };
  const why = accept === undefined ? 'no choice is given' : 'a transition and a proposal are given';
  throw new InvalidInput('the decision', why, 'Name a transition, or a proposal with --accept');
}

/** The task that was answered under the key, else the task of the round, if it waits for people. */
async function taskOf(call: Call, { key }: DecideOptions, sessionId: string): Promise<string | undefined> {
  const before = key === undefined ? undefined : await decidedBefore(call, sessionId, key);
  if (before) return before.taskId;
  const { items } = await call('listTasks', { sessionId, kind: 'decision' });
  return items[0]?.taskId;
}

async function answered(
  call: Call,
  options: DecideOptions,
  io: Io,
  taskId: string,
  given: Chosen & { readonly metaJson?: JsonObject },
): Promise<void> {
  const digest = await shownDigest(call, options, io, taskId);
  const choice = 'proposalId' in given ? 'accept' : 'transition';
  const { reasoning: reason } = options;
  const body = { choice, digest, ...given, ...(reason !== undefined && { reason }) };
  await sendAnswer(call, options, io, taskId, body);
}

async function arbitrated(call: Call, options: DecideOptions, io: Io, given: object): Promise<void> {
  const { as: specialistId, actAs, reasoning, json } = options;
  const result = await call('submitArbitration', {
    ...given,
    ...present({ specialistId, actAs, reasoning }),
  });
  printResult(io, json, result, arbitrationLines);
  assertDecided(result);
}

/** @throws NotDecided if a guard refused the arbitration */
export function assertDecided({ guardsPass, sessionId, guardReason }: ArbitrationResult): void {
  if (guardsPass) return;
  const fix = 'Use redial inbox or redial inspect to see the choices and who may decide';
  throw new NotDecided(`session ${sessionId} was not decided`, oneLine(guardReason, 300), fix);
}

type SessionEventItem = AnswerOf<'listSessionEvents'>['items'][number];

/** The call that was made under a key: the answer to a task, or without one an arbitration. */
interface DecidedBefore {
  readonly taskId?: string;
}

/**
 * A key counts within one task, or within the arbitrations of the session. So a repeat makes the same call as the first call of this caller,
 * also if another task waits by now. The events of the session tell which call it was.
 */
async function decidedBefore(call: Call, sessionId: string, key: string): Promise<DecidedBefore | undefined> {
  const { personId: actor = OPERATOR } = await call('getPrincipal', {});
  const isOf = ({ metadata }: SessionEventItem, scope: string) =>
    metadata.commandId === keyedCommandId(actor, scope, key);
  const events = await everyItem((page) => call('listSessionEvents', { sessionId, ...page }));
  for (const event of events) {
    const { roundId } = event.data as { readonly roundId?: string };
    const taskId = roundId === undefined ? undefined : roundTaskId(sessionId, roundId);
    if (taskId !== undefined && isOf(event, scopeOfKey('answerTask', { taskId }))) return { taskId };
    if (isOf(event, scopeOfKey('submitArbitration', { sessionId }))) return {};
  }
  return undefined;
}
