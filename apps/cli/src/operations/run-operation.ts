import { present } from '#lib/kernel';
import type { OperationEntry } from '#lib/operations';
import { assertDecided } from '../commands/decide.js';
import { diverges, InvalidInput, NotTaken } from '../error-classes.js';
import { linesOf } from '../format/answer-lines.js';
import { tokenLines } from '../format/definitions.js';
import { standingStillLines } from '../format/standing-still.js';
import { needsPerson, waitsBy } from '../format/waiting.js';
import { isHistoryFile, refuseHistoryFile } from '../input/history-file.js';
import { callIdOf, sessionIdOf } from '../input/named-id.js';
import { namedServer } from '../input/named-server.js';
import type { GlobalOptions, MetaOptions, TokenOption } from '../input/options.js';
import { readJsonFile, readMeta } from '../input/read-json.js';
import { type Io, printLines, printResult } from '../io.js';
import {
  type AnswerOf,
  type Call,
  type OperationId,
  withOperations,
  withOperationsOfFile,
} from './call-operation.js';
import { answerTo } from './calls-of-run.js';
import { type Fields, META } from './command-words.js';

/**
 * Calls an operation with the fields of a command line, and prints the answer.
 * @throws NeedsPerson if the answer is that a person is needed; NotDecided if a guard refused the decision
 */
export async function runOperation(
  entry: OperationEntry,
  given: Fields,
  said: GlobalOptions & Fields,
  io: Io,
): Promise<void> {
  const { dataDir, json } = said;
  const show = async (call: Call, input: Fields) => {
    const answer = await answerTo(call, entry, input);
    printResult(io, json, answer, (value, paint) => linesOf(entry.id, value, paint, dataDir));
    if (!json) printLines(io.err, [...tokenLines(tokensIn(answer)), ...standingStillLines(answer)]);
    await failAfter(entry.id, answer, call, dataDir);
  };
  const file = historyFileIn(entry, given);
  if (file !== undefined) return ofFile(file, given, io, show);
  const input = await inputOf(entry, given, said);
  await withOperations(entry.id as OperationId, said, io, (call) => show(call, input));
}

/** The fields of a path that may be a history file in a query. */
const OF_FILES = ['sessionId', 'runId', 'conversationId', 'callId'] as const;

/** @throws InvalidInput if the operation has no session, run, conversation or call, or is a command */
function historyFileIn({ kind, path }: OperationEntry, given: Fields): string | undefined {
  const named = Object.entries(given).find(
    ([name, value]) => path.includes(`:${name}`) && isHistoryFile(String(value)),
  );
  if (!named) return undefined;
  const [name, file] = named;
  if (kind !== 'query' || !OF_FILES.some((one) => one === name)) refuseHistoryFile(String(file));
  return String(file);
}

/** Puts the id of the session, run or conversation of the file in place of the file; for a call that of the newest one. */
function ofFile(
  file: string,
  given: Fields,
  io: Io,
  show: (call: Call, input: Fields) => Promise<void>,
): Promise<void> {
  return withOperationsOfFile(file, io, async (call, { id }) => {
    const newest = given['callId'] === file ? await newestCall(call, file) : id;
    await show(
      call,
      Object.fromEntries(
        Object.entries(present(given)).map(([name, value]) => [name, value === file ? newest : value]),
      ),
    );
  });
}

async function newestCall(call: Call, file: string): Promise<string> {
  const [newest] = (await call('listLlmCalls', { limit: 1 })).items;
  if (newest) return newest.callId;
  throw new InvalidInput(
    `the history file ${file}`,
    'no model was called in it',
    'Look at it with redial inspect',
  );
}

/** A definition is read from a file, facts may be, and the first characters of its id may name a session. */
async function inputOf(
  { whole, input: { properties } }: OperationEntry,
  given: Fields,
  said: GlobalOptions & MetaOptions & TokenOption,
): Promise<Fields> {
  const { [whole ?? '']: file, sessionId, callId, ...rest } = present(given);
  const metaJson = META in properties ? await readMeta(said) : undefined;
  const source = { dataDir: said.dataDir, server: namedServer(said) };
  return {
    ...rest,
    ...(whole !== undefined && { [whole]: await readJsonFile(String(file)) }),
    ...(typeof sessionId === 'string' && { sessionId: await sessionIdOf(sessionId, source) }),
    ...(typeof callId === 'string' && { callId: await callIdOf(callId, source) }),
    ...(metaJson && { metaJson }),
  };
}

/** Tokens of people are printed beside the results, once. */
function tokensIn(answer: unknown): Readonly<Record<string, string>> | undefined {
  const { actorTokens, actorToken, specialistId } = (answer ?? {}) as {
    readonly actorTokens?: Readonly<Record<string, string>>;
    readonly actorToken?: string;
    readonly specialistId?: string;
  };
  return actorToken === undefined || specialistId === undefined
    ? actorTokens
    : { [specialistId]: actorToken };
}

/**
 * Some answers are printed and are still no success of the command.
 * @throws InvalidInput; ReplayDiverges; NotTaken; NotDecided; NeedsPerson
 */
async function failAfter(
  id: string,
  answer: unknown,
  call: Call,
  dataDir: string | undefined,
): Promise<void> {
  const { valid, identical } = (answer ?? {}) as { readonly valid?: boolean; readonly identical?: boolean };
  if (valid === false)
    throw new InvalidInput('the definition', 'it is not valid', 'Correct the listed problems');
  if (identical === false) throw diverges(1, 1);
  if (id === 'testHook') assertTaken(answer as AnswerOf<'testHook'>);
  if (id === 'submitArbitration') assertDecided(answer as AnswerOf<'submitArbitration'>);
  if (id === 'invokeGate') {
    const { needsHuman, sessionId } = answer as AnswerOf<'invokeGate'>;
    if (needsHuman) throw await needsPerson(waitsBy(call), sessionId, dataDir);
  }
}

/** @throws NotTaken */
function assertTaken({ status, error }: AnswerOf<'testHook'>): void {
  if (error === undefined) return;
  const why = status === undefined ? error : `it answered ${status}`;
  throw new NotTaken(
    'the receiver of the hook',
    why,
    'Correct its address or the receiver, then test it again',
  );
}
