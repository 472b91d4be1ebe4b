import type { JsonObject } from '#lib/kernel';
import { InvalidInput } from '../error-classes.js';
import { linesOf } from '../format/answer-lines.js';
import type { GlobalOptions, TokenOption } from '../input/options.js';
import { readJson, readObject } from '../input/read-json.js';
import { type Io, paintFor, printLines, printResult } from '../io.js';
import { type Call, withOperations } from '../operations/call-operation.js';

/** The options by which a person names themselves. */
export interface PersonOptions extends GlobalOptions, TokenOption {
  readonly actAs?: string;
  readonly key?: string;
}

interface AnswerOptions extends PersonOptions {
  readonly accept?: string;
  readonly transition?: string;
  readonly approve?: true;
  readonly reject?: true;
  readonly payload?: string;
  readonly args?: string;
  readonly result?: string;
  readonly reason?: string;
  readonly digest?: string;
}

/** Shows the task, and answers it with the digest of what it has shown. */
export async function answerTask(options: AnswerOptions, io: Io, taskId: string): Promise<void> {
  const body = bodyOf(options);
  await withOperations('answerTask', options, io, async (call) => {
    const { digest = await shownDigest(call, options, io, taskId), reason } = options;
    await sendAnswer(call, options, io, taskId, { ...body, digest, ...(reason !== undefined && { reason }) });
  });
}

/** Prints the task beside the result. @returns the digest of the shown task */
export async function shownDigest(
  call: Call,
  { dataDir }: GlobalOptions,
  io: Io,
  taskId: string,
): Promise<string> {
  const task = await call('getTask', { taskId });
  printLines(io.err, linesOf('getTask', task, paintFor(io.err), dataDir));
  return task.digest;
}

/** Answers a task and prints it. */
export async function sendAnswer(
  call: Call,
  options: PersonOptions,
  io: Io,
  taskId: string,
  body: JsonObject,
): Promise<void> {
  const { actAs, json, dataDir } = options;
  const answer = await call('answerTask', { taskId, ...body, ...(actAs !== undefined && { actAs }) });
  printResult(io, json, answer, (value, paint) => linesOf('answerTask', value, paint, dataDir));
}

/** The choice of the options. @throws InvalidInput for no choice, or several */
function bodyOf(options: AnswerOptions): JsonObject {
  const { accept, transition, approve, reject, payload } = options;
  const args = readObject('--args', options.args);
  const edited = args && { metaJson: args };
  const choices = [
    ...(accept === undefined ? [] : [{ choice: 'accept', proposalId: accept, ...edited }]),
    ...(transition === undefined ? [] : [{ choice: 'transition', transitionName: transition, ...edited }]),
    ...(approve ? [{ choice: 'approve', ...(args && { arguments: args }) }] : []),
    ...(reject ? [{ choice: 'reject', ...resultIn(options) }] : []),
    ...(payload === undefined ? [] : [{ choice: 'answer', payload: readJson('--payload', payload) }]),
  ];
  const [choice, ...others] = choices;
  if (choice && others.length === 0) return choice;
  const why = choice ? 'several choices are given' : 'no choice is given';
  const fix = 'Give one of --accept, --transition, --approve, --reject, --payload';
  throw new InvalidInput('the answer', why, fix);
}

function resultIn({ result }: AnswerOptions): JsonObject {
  return result === undefined ? {} : { result: readJson('--result', result) };
}
