import { RedialProblem } from '#lib/client';
import { isUuid, type JsonObject, present } from '#lib/kernel';
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

type Kind = 'session' | 'run' | 'conversation';

/** The look-up of each kind, and the places at which a fork of it begins. */
const KINDS = {
  session: {
    get: 'getSession',
    goesOn: 'a revision',
    fix: (id: string) => `Give a revision: redial inspect ${id} --all lists them`,
  },
  run: {
    get: 'getRun',
    goesOn: 'a revision',
    fix: (id: string) => `Give a revision: redial runs events ${id} lists them`,
  },
  conversation: {
    get: 'getConversation',
    goesOn: 'a turn',
    fix: (id: string) => `Give the id of a turn: redial conversations turns ${id} lists them`,
  },
} as const;

/** The id on a command line, and its options. */
interface NamedSource {
  readonly id: string;
  readonly options: ForkOptions;
  readonly io: Io;
}

/**
 * Forks the session, run or conversation with this id. A turn is a place in a conversation, a revision one in a session or, if there is no
 * session, in a run.
 */
export async function fork(options: ForkOptions, io: Io, named: string): Promise<void> {
  const made = (id: Forking, input: JsonObject) => forked(id, input, options, io);
  if (isHistoryFile(named))
    return made('forkHistory', { atRevision: revisionOf(options.at), history: await readText(named) });
  const { dataDir, at } = options;
  const id = await sessionIdOf(named, { dataDir, server: namedServer(options) });
  const asked = { id, options, io };
  if (isUuid(at)) {
    const input = { conversationId: id, atTurn: at };
    return orRefusedAs(['session', 'run'], 'conversation', asked, () => made('forkConversation', input));
  }
  const atRevision = revisionOf(at);
  try {
    await made('forkSession', { sessionId: id, atRevision });
  } catch (error) {
    if (!(await isOfAnother('session', error, asked))) throw error;
    const input = { runId: id, atRevision };
    await orRefusedAs(['conversation'], 'run', asked, () => made('forkRun', input));
  }
}

/** @throws InvalidInput if the id is of one of these kinds, which have no such place */
async function orRefusedAs(
  others: readonly Kind[],
  kind: Kind,
  asked: NamedSource,
  made: () => Promise<void>,
): Promise<void> {
  try {
    await made();
  } catch (error) {
    const found = (await isOfAnother(kind, error, asked)) ? await kindAmong(others, asked) : undefined;
    if (!found) throw error;
    const { id, options } = asked;
    const { goesOn, fix } = KINDS[found];
    throw new InvalidInput(
      `--at ${options.at}`,
      `${id} is a ${found}, which goes on after ${goesOn}`,
      fix(id),
    );
  }
}

async function forked(id: Forking, input: JsonObject, options: ForkOptions, io: Io): Promise<void> {
  const { overrides: text, effects, reason, json, dataDir } = options;
  const overrides = readObject('--overrides', text);
  const given = {
    ...input,
    ...present({ overrides, effects, reason }),
  };
  const made = await withOperations(id, options, io, (call) => call(id, given));
  printResult(io, json, made, (one, paint) => linesOf(id, one, paint, dataDir));
}

/** The server checks members before ids: overrides for a run are malformed for a session. */
async function isOfAnother(kind: Kind, error: unknown, asked: NamedSource): Promise<boolean> {
  const code = codeOf(error);
  if (code === `unknown-${kind}`) return true;
  return code === 'malformed-request' && !(await isThere(kind, asked));
}

async function kindAmong(kinds: readonly Kind[], asked: NamedSource): Promise<Kind | undefined> {
  for (const kind of kinds) if (await isThere(kind, asked)) return kind;
  return undefined;
}

async function isThere(
  kind: Kind,
  { id, options: { key: _, ...options }, io }: NamedSource,
): Promise<boolean> {
  const { get } = KINDS[kind];
  try {
    await withOperations(get, options, io, (call) => call(get, { [`${kind}Id`]: id }));
    return true;
  } catch (error) {
    if (codeOf(error) === `unknown-${kind}`) return false;
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
