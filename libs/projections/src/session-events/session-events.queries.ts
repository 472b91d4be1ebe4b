import type { Rejection } from '#lib/kernel';
import { type Page, pageOf, type PageRequest } from '../paging/page.js';
import { numberInKey } from '../paging/key-in-list.js';
import { storedPosition } from '../row/stored-position.js';
import type { Rows } from '../store/rows.js';

/** The location of an event; the log has the event itself. */
export interface EventPlace {
  /** Its stream, without the prefix of the log. */
  readonly name: string;
  readonly revision: number;
}

/** The events of a session with its solicitations and arbitrations, in log order; those after a position where one is named. */
export function listSessionEvents(
  db: Rows<'session_events'>,
  { sessionId, afterPosition }: { readonly sessionId: string; readonly afterPosition?: string },
  request: PageRequest = {},
): Promise<Page<EventPlace> | Rejection> {
  return pageOf(request, {
    list: 'session-events',
    read: (key, limit) => {
      const start = afterPosition === undefined ? undefined : storedPosition(afterPosition);
      const after = key === undefined ? start : numberInKey(key);
      const all = db
        .selectFrom('session_events_v3 as event')
        .innerJoin('session_streams_v3 as stream', 'stream.number', 'event.stream')
        .select(['stream.name', 'event.revision', 'event.position'])
        .where('event.session', '=', numberOf(db, sessionId));
      const rest = after === undefined ? all : all.where('event.position', '>', after);
      return rest.orderBy('event.position').limit(limit).execute();
    },
    keyOf: ({ position }) => `${position}`,
    toItems: (rows) => rows.map(({ name, revision }) => ({ name, revision })),
  });
}

function numberOf(db: Rows<'session_events'>, sessionId: string) {
  return db.selectFrom('session_streams_v3').select('number').where('name', '=', `session-${sessionId}`);
}
