import { RedialProblem } from '#lib/client';
import { isUuid, type JsonObject } from '#lib/kernel';
import { RejectionError } from '#lib/operations/core';
import { InvalidInput } from '../error-classes.js';
import { linesOf } from '../format/answer-lines.js';
import { isHistoryFile } from '../input/history-file.js';
import { sessionIdOf } from '../input/named-id.js';
import { namedServer } from '../input/named-server.js';
import type { GlobalOptions, TokenOption } from '../input/options.js';
import { readObject, readText } from '../input/read-json.js';
import { type Io, printResult } from '../io.js';
import { withOperations } from '../operations/call-operation.js';

interface ForkOptions extends GlobalOptions, TokenOption {
  readonly at: string;
  readonly overrides?: string;
  readonly effects?: string;
  readonly reason?: string;
  readonly key?: string;
}

type Forking = 'forkSession' | 'forkRun' | 'forkConversation' | 'forkHistory';

/** Forks what has the id: a turn is of a conversation, a revision of a session or, if there is none, of a run. */
export async function fork(options: ForkOptions, io: Io, named: string): Promise<void> {
  const made = (id: Forking, input: JsonObject) => forked(id, input, options, io);
  if (isHistoryFile(named))
    return made('forkHistory', { atRevision: revisionOf(options.at), history: await readText(named) });
  const { dataDir, at } = options;
  const id = await sessionIdOf(named, { dataDir, server: namedServer(options) });
  if (isUuid(at)) return made('forkConversation', { conversationId: id, atTurn: at });
  const atRevision = revisionOf(at);
  try {
    await made('forkSession', { sessionId: id, atRevision });
  } catch (error) {
    if (!(await isOfRun(codeOf(error), id, options, io))) throw error;
    await forkOfRun(id, options, io, () => made('forkRun', { runId: id, atRevision }));
  }
}

/** @throws InvalidInput for a conversation, which has no place at a revision */
async function forkOfRun(id: string, options: ForkOptions, io: Io, made: () => Promise<void>): Promise<void> {
  try {
    await made();
  } catch (error) {
    const isFound =
      codeOf(error) === 'unknown-run' &&
      (await isThere('getConversation', { conversationId: id }, options, io));
    if (!isFound) throw error;
    const why = `${id} is a conversation, which goes on after a turn`;
    const fix = `Give the id of a turn: redial conversations turns ${id} lists them`;
    throw new InvalidInput(`--at ${options.at}`, why, fix);
  }
}

async function forked(id: Forking, input: JsonObject, options: ForkOptions, io: Io): Promise<void> {
  const { overrides: text, effects, reason, json, dataDir } = options;
  const overrides = readObject('--overrides', text);
  const given = {
    ...input,
    ...(overrides && { overrides }),
    ...(effects !== undefined && { effects }),
    ...(reason !== undefined && { reason }),
  };
  const made = await withOperations(id, options, io, (call) => call(id, given));
  printResult(io, json, made, (one, paint) => linesOf(id, one, paint, dataDir));
}

/** Members are judged before ids are: overrides of a run are malformed as those of a session. */
async function isOfRun(code: string | undefined, id: string, options: ForkOptions, io: Io): Promise<boolean> {
  if (code === 'unknown-session') return true;
  return code === 'malformed-request' && !(await isThere('getSession', { sessionId: id }, options, io));
}

async function isThere(
  get: 'getSession' | 'getConversation',
  input: JsonObject,
  { key: _, ...options }: ForkOptions,
  io: Io,
): Promise<boolean> {
  try {
    await withOperations(get, options, io, (call) => call(get, input));
    return true;
  } catch (error) {
    if (codeOf(error)?.startsWith('unknown-')) return false;
    throw error;
  }
}

/** @throws InvalidInput */
function revisionOf(at: string): number {
  if (/^\d{1,15}$/.test(at)) return Number(at);
  throw new InvalidInput(
    `--at ${at}`,
    'it is neither a revision nor the id of a turn',
    'Give a whole number',
  );
}

function codeOf(error: unknown): string | undefined {
  if (error instanceof RejectionError) return error.rejection.code;
  return error instanceof RedialProblem ? error.problem.code : undefined;
}
