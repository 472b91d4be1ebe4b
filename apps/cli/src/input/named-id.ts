import { RedialClient } from '#lib/client';
import type { Rejection } from '#lib/kernel';
import { RejectionError } from '#lib/operations/core';
import {
  llmCallIdsStartingWith,
  type ProjectionName,
  type Rows,
  sessionIdsStartingWith,
} from '#lib/projections';
import { sessionRejections } from '#lib/session';
import { askRows, assertLog, settingsFor } from '../engine/with-log.js';
import { InvalidInput } from '../error-classes.js';
import { namedServer } from './named-server.js';

/** A kind of subject with a UUID. */
interface Kind<Name extends ProjectionName> {
  readonly name: string;
  readonly projection: Name;
  /** The newest first; of those that begin so. */
  readonly startingWith: (db: Rows<Name>, start: string, limit: number) => Promise<readonly string[]>;
  readonly unknown: (id: string) => Rejection | Promise<Rejection>;
  /** The newest ones of the server that `REDIAL_URL` names. */
  readonly ofServer: (server: RedialClient) => Promise<readonly string[]>;
}

const WHOLE = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;
const START = /^[0-9a-f-]+$/;
const MOST_LISTED = 5;
/** On a server only the newest are searched. */
const SEARCHED = 500;

/** The id of the session that a command line names. @throws as `idOf` */
export function sessionIdOf(text: string, dataDir: string | undefined): Promise<string> {
  const { unknownSession: unknown } = sessionRejections;
  const kind = {
    name: 'session',
    projection: 'sessions',
    startingWith: sessionIdsStartingWith,
    unknown,
    ofServer: async (server: RedialClient) =>
      (await server.listSessions({ limit: SEARCHED })).items.map(({ sessionId }) => sessionId),
  } as const;
  return idOf(text, dataDir, kind);
}

/** The id of the call to a model that a command line names. @throws as `idOf` */
export function callIdOf(text: string, dataDir: string | undefined): Promise<string> {
  const kind = {
    name: 'call',
    projection: 'llm_calls',
    startingWith: llmCallIdsStartingWith,
    unknown: async (id: string) => (await import('#lib/engine')).unknownCall(id),
    ofServer: async (server: RedialClient) =>
      (await server.listLlmCalls({ limit: SEARCHED })).items.map(({ callId }) => callId),
  } as const;
  return idOf(text, dataDir, kind);
}

/**
 * A whole id is not checked here: the command refuses one of another kind.
 * @throws NoLog; RejectionError where no id begins so; InvalidInput where several do
 */
async function idOf<Name extends ProjectionName>(
  text: string,
  dataDir: string | undefined,
  kind: Kind<Name>,
): Promise<string> {
  const given = text.toLowerCase();
  if (WHOLE.test(given)) return given;
  if (!namedServer()) assertLog(settingsFor(dataDir));
  const isLast = given === 'last';
  if (!isLast && !START.test(given)) throw new RejectionError(await kind.unknown(text));
  const ids = await idsStartingWith(isLast ? '' : given, isLast ? 1 : MOST_LISTED + 1, dataDir, kind);
  const [id] = ids;
  if (id === undefined) throw new RejectionError(await kind.unknown(given));
  if (ids.length > 1) throw ambiguous(`${kind.name} ${given}`, ids);
  return id;
}

async function idsStartingWith<Name extends ProjectionName>(
  start: string,
  most: number,
  dataDir: string | undefined,
  kind: Kind<Name>,
): Promise<readonly string[]> {
  const server = namedServer();
  if (server) {
    const newest = await kind.ofServer(new RedialClient(server));
    return newest.filter((id) => id.startsWith(start)).slice(0, most);
  }
  return askRows(dataDir, [kind.projection], (db) => kind.startingWith(db, start, most));
}

function ambiguous(what: string, ids: readonly string[]): InvalidInput {
  const more = ids.length > MOST_LISTED ? ', …' : '';
  const why = `several begin so: ${ids.slice(0, MOST_LISTED).join(', ')}${more}`;
  return new InvalidInput(what, why, 'Give more characters of the id');
}
