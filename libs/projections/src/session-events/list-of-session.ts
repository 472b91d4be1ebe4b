import type { Rejection } from '#lib/kernel';
import { sessionRejections } from '#lib/session';
import type { Page } from '../paging/page.js';
import type { Rows } from '../store/rows.js';
import { listSessionEvents } from './session-events.queries.js';

/** A list of a session: empty where it has no items, refused for an unknown session. */
export async function listOfSession<Item>(
  db: Rows<'session_events'>,
  sessionId: string,
  list: () => Promise<Page<Item> | Rejection>,
): Promise<Page<Item> | Rejection> {
  const events = await listSessionEvents(db, { sessionId }, { limit: 1 });
  const isThere = 'items' in events && events.items.length > 0;
  return isThere ? list() : sessionRejections.unknownSession(sessionId);
}
