import { type ClientOptions, RedialClient } from '#lib/client';
import type { Rejection } from '#lib/kernel';
import { RejectionError } from '#lib/operations/core';
import {
  llmCallIdsStartingWith,
  type ProjectionName,
  type Rows,
  sessionIdsStartingWith,
} from '#lib/read-models';
import { sessionRejections } from '#lib/decisions/session';
import { askRows, assertLog, settingsFor } from '../engine/with-log.js';
import { InvalidInput } from '../error-classes.js';
import { refuseHistoryFile } from './history-file.js';

/** A kind of object with a UUID. */
interface Kind<Name extends ProjectionName> {
  readonly name: string;
  readonly projection: Name;
  /** The ids with this beginning, newest first. */
  readonly startingWith: (db: Rows<Name>, start: string, limit: number) => Promise<readonly string[]>;
  readonly unknown: (id: string) => Rejection | Promise<Rejection>;
  readonly listed: (server: RedialClient, page: ListedIds) => Promise<readonly string[]>;
}

/** The newest objects at a server whose ids have this beginning; without a beginning, all. */
interface ListedIds {
  readonly idPrefix?: string;
  readonly limit: number;
}

/** The place where an id is looked up: a server, else the log of the data folder. */
interface LogSource {
  readonly dataDir?: string | undefined;
  readonly server?: ClientOptions | undefined;
}

const WHOLE = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;
const START = /^[0-9a-f-]{1,36}$/;
const MOST_LISTED = 5;

const SESSION: Kind<'sessions'> = {
  name: 'session',
  projection: 'sessions',
  startingWith: sessionIdsStartingWith,
  unknown: sessionRejections.unknownSession,
  listed: async (server, page) => (await server.listSessions(page)).items.map(({ sessionId }) => sessionId),
};

const CALL: Kind<'llm_calls'> = {
  name: 'call',
  projection: 'llm_calls',
  startingWith: llmCallIdsStartingWith,
  unknown: async (id) => (await import('#lib/engine')).unknownCall(id),
  listed: async (server, page) => (await server.listLlmCalls(page)).items.map(({ callId }) => callId),
};

/** The id of the session that a command line names. @throws as `idOf` */
export function sessionIdOf(text: string, source: LogSource): Promise<string> {
  return idOf(text, source, SESSION);
}

/** The id of the call to a model that a command line names. @throws as `idOf` */
export function callIdOf(text: string, source: LogSource): Promise<string> {
  return idOf(text, source, CALL);
}

/**
 * A whole id is not checked here: the command refuses the id of another kind.
 * @throws NoLog; RejectionError if no id has this beginning; InvalidInput if several have it
 */
async function idOf<Name extends ProjectionName>(
  text: string,
  { dataDir, server }: LogSource,
  kind: Kind<Name>,
): Promise<string> {
  refuseHistoryFile(text);
  const given = text.toLowerCase();
  if (WHOLE.test(given)) return given;
  if (!server) assertLog(settingsFor(dataDir));
  const isLast = given === 'last';
  if (!isLast && !START.test(given)) throw new RejectionError(await kind.unknown(text));
  const [start, most] = isLast ? ['', 1] : [given, MOST_LISTED + 1];
  const ids = server
    ? await kind.listed(new RedialClient(server), { limit: most, ...(start !== '' && { idPrefix: start }) })
    : await askRows(dataDir, [kind.projection], (db) => kind.startingWith(db, start, most));
  const [id] = ids;
  if (id === undefined) throw new RejectionError(await kind.unknown(given));
  if (ids.length === 1) return id;
  const more = ids.length > MOST_LISTED ? ', …' : '';
  const why = `several ids begin with it: ${ids.slice(0, MOST_LISTED).join(', ')}${more}`;
  throw new InvalidInput(`${kind.name} ${given}`, why, 'Give more characters of the id');
}
