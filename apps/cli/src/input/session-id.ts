import { RejectionError } from '#lib/engine';
import { type Rows, sessionIdsStartingWith } from '#lib/projections';
import { sessionRejections } from '#lib/session';
import { askRows } from '../engine/ask-rows.js';
import { assertLog } from '../engine/assert-log.js';
import { settingsFor } from '../engine/settings-for.js';
import { InvalidInput } from '../errors.js';

/** For `--help`: what may stand where a session is named. */
export const SESSION_HELP = 'its id, the first characters of it, or `last`';

const WHOLE = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;
const START = /^[0-9a-f-]+$/;
const MOST_LISTED = 5;

/**
 * The id of the session that a command line names. A whole id is taken as it is: whether there is such a session is for the
 * command to find.
 * @throws NoLog; RejectionError where no session begins so; InvalidInput where several do
 */
export async function sessionIdOf(text: string, dataDir: string | undefined): Promise<string> {
  const given = text.toLowerCase();
  if (WHOLE.test(given)) return given;
  assertLog(settingsFor(dataDir));
  if (given !== 'last' && !START.test(given))
    throw new RejectionError(sessionRejections.unknownSession(text));
  return askRows(dataDir, ['sessions'], (db) => theOneOf(db, given));
}

async function theOneOf(db: Rows<'sessions'>, given: string): Promise<string> {
  const isLast = given === 'last';
  const ids = await sessionIdsStartingWith(db, isLast ? '' : given, isLast ? 1 : MOST_LISTED + 1);
  const [id] = ids;
  if (id === undefined) throw new RejectionError(sessionRejections.unknownSession(given));
  if (ids.length === 1) return id;
  const more = ids.length > MOST_LISTED ? ', …' : '';
  const why = `several begin so: ${ids.slice(0, MOST_LISTED).join(', ')}${more}`;
  throw new InvalidInput(`session ${given}`, why, 'Give more characters of the id');
}
