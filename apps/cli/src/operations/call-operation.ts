import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { callOverHttp } from '#lib/client';
import { operations } from '#lib/engine';
import type { OperationEntry, OperationManifest } from '#lib/operations';
import type { Page } from '#lib/projections';
import type { GlobalOptions } from '../commands/global-options.js';
import { everyItem } from '../engine/every-item.js';
import { withEngineOnLog, withReadingEngine, withCommandEngine } from '../engine/with-command-engine.js';
import { InvalidInput } from '../errors.js';
import { sessionIdOf } from '../input/named-id.js';
import type { Io } from '../io.js';
import { packageRoot } from '../package-root.js';

type CallOptions = GlobalOptions & { readonly key?: string };
type Call = (input: object) => Promise<unknown>;

let read: OperationManifest | undefined;

/** What the build wrote about the declared operations. */
export function manifest(): OperationManifest {
  return (read ??= JSON.parse(
    readFileSync(join(packageRoot(), 'operations.json'), 'utf8'),
  ) as OperationManifest);
}

/**
 * Calls an operation of the server that `REDIAL_URL` names, else of an engine in this process. A list comes whole, or its first
 * `limit` items.
 */
export async function callOperation(
  entry: OperationEntry,
  { limit, ...given }: { readonly limit?: number } & Readonly<Record<string, unknown>>,
  options: CallOptions,
  io: Io,
): Promise<unknown> {
  const input = await withWholeIds(given, options);
  return withCall(entry, options, io, async (call) => {
    if (!isPage(entry)) return call(input);
    return { items: await everyItem((page) => call({ ...input, ...page }) as Promise<Page<unknown>>, limit) };
  });
}

function isPage({ answers }: OperationEntry): boolean {
  const { properties = {} } = (answers['200'] ?? {}) as { properties?: object };
  return 'nextCursor' in properties;
}

/** A session may be named by the first characters of its id. */
async function withWholeIds(
  input: Readonly<Record<string, unknown>>,
  { dataDir }: CallOptions,
): Promise<object> {
  const { sessionId } = input;
  if (typeof sessionId !== 'string' || process.env['REDIAL_URL']) return input;
  return { ...input, sessionId: await sessionIdOf(sessionId, dataDir) };
}

function withCall<T>(
  entry: OperationEntry,
  { dataDir, key: idempotencyKey }: CallOptions,
  io: Io,
  work: (call: Call) => Promise<T>,
): Promise<T> {
  const keyed = idempotencyKey === undefined ? {} : { idempotencyKey };
  const { REDIAL_URL: url, REDIAL_API_TOKEN: token, REDIAL_ACTOR_TOKEN: actorToken } = process.env;
  if (url && dataDir !== undefined)
    throw new InvalidInput(
      '--data-dir',
      'REDIAL_URL names a server, which has its own',
      'Leave one of them out',
    );
  if (url) {
    const server = { url, ...(token && { token }), ...(actorToken && { actorToken }) };
    return work((input) => callOverHttp(server, entry, input, keyed));
  }
  const { type } = operations.find(({ id }) => id === entry.id) ?? {};
  if (!type) throw new TypeError(`operations.json names ${entry.id}, which is not declared.`);
  if (entry.kind === 'command') {
    // What a path names is there already; everything else may begin a log.
    const run = entry.path.includes(':') ? withEngineOnLog : withCommandEngine;
    return run(dataDir, io.err, ({ redial }) =>
      work(async (input) => (await redial.dispatcher.dispatch(type, input, keyed)).value),
    );
  }
  return withReadingEngine(dataDir, io.err, async ({ redial, log }) => {
    const head = 'minPosition' in entry.input.properties ? await log.store.head() : undefined;
    const isNew = head === undefined ? {} : { minPosition: head };
    return work(async (input) => (await redial.dispatcher.dispatch(type, { ...input, ...isNew })).value);
  });
}
