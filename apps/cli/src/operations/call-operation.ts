import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { callOverHttp } from '#lib/client';
import { operations } from '#lib/engine';
import type { OperationEntry, OperationManifest } from '#lib/operations';
import type { GlobalOptions } from '../commands/global-options.js';
import { withEngineOnLog, withReadingEngine, withCommandEngine } from '../engine/with-command-engine.js';
import { InvalidInput } from '../errors.js';
import type { Io } from '../io.js';
import { packageRoot } from '../package-root.js';

/** What the build wrote about the declared operations. */
export function readManifest(): OperationManifest {
  return JSON.parse(readFileSync(join(packageRoot(), 'operations.json'), 'utf8')) as OperationManifest;
}

/** Calls an operation of the server that `REDIAL_URL` names, else of an engine in this process. */
export async function callOperation(
  entry: OperationEntry,
  input: object,
  { dataDir, key: idempotencyKey }: GlobalOptions & { readonly key?: string },
  io: Io,
): Promise<unknown> {
  const call = idempotencyKey === undefined ? {} : { idempotencyKey };
  const { REDIAL_URL: url, REDIAL_API_TOKEN: token, REDIAL_ACTOR_TOKEN: actorToken } = process.env;
  if (url && dataDir !== undefined)
    throw new InvalidInput(
      '--data-dir',
      'REDIAL_URL names a server, which has its own',
      'Leave one of them out',
    );
  if (url)
    return callOverHttp(
      { url, ...(token && { token }), ...(actorToken && { actorToken }) },
      entry,
      input,
      call,
    );
  const { type } = operations.find(({ id }) => id === entry.id) ?? {};
  if (!type) throw new TypeError(`operations.json names ${entry.id}, which is not declared.`);
  if (entry.kind === 'command') {
    const run = entry.access === 'operator' && entry.method === 'POST' ? withCommandEngine : withEngineOnLog;
    return run(
      dataDir,
      io.err,
      async ({ redial }) => (await redial.dispatcher.dispatch(type, input, call)).value,
    );
  }
  return withReadingEngine(dataDir, io.err, async ({ redial, log }) => {
    const minPosition = 'minPosition' in entry.input.properties ? await log.store.head() : undefined;
    const asked = { ...input, ...(minPosition !== undefined && { minPosition }) };
    return (await redial.dispatcher.dispatch(type, asked)).value;
  });
}
