import type { Event, Rejection } from '#lib/kernel';
import { sessionRejections } from '#lib/decisions/session';
import type { Handler, Projection } from '../runner/projection.js';
import { uuid } from '../store/columns.js';
import { type Items, numberInKey, type Page, type PageRequest } from '../store/page.js';
import { pageOfRows } from '../store/page-of-rows.js';
import { insertRow, insertRows } from '../store/row-changes.js';
import type { Rows } from '../store/rows.js';
import { storedPosition, storedUuid, uuidFromStored } from '../store/stored-values.js';
import { table } from '../store/table.js';

/**
 * The streams of sessions: their own, and those of their solicitations and arbitrations. The number of a stream is the position
 * of its first event, so that events name their streams in a few bytes.
 */
export const sessionStreamsTable = table(
  'session_streams_v3',
  {
    id: uuid,
    category: 'text',
    number: 'bigint',
    /** The number of the session's own stream. */
    session: 'bigint',
  },
  ['id', 'category'],
  [['number']],
);

/** The events of these streams, by the numbers of session and stream. */
export const sessionEventsTable = table(
  'session_events_v3',
  { session: 'bigint', position: 'bigint', stream: 'bigint', revision: 'integer' },
  ['session', 'position'],
);

const addSession = insertRow(sessionStreamsTable);

/** Adds the stream of a run, if what it is about is a session. */
const addRun = insertRows(
  sessionStreamsTable,
  { id: uuid, category: 'text', number: 'bigint', session_id: uuid },
  (db, { id, category, number, session_id }) =>
    db
      .selectFrom('session_streams_v3 as own')
      .select((of) => [
        of.cast<Buffer>(of.val(id), 'blob').as('id'),
        of.cast<string>(of.val(category), 'text').as('category'),
        of.cast<number>(of.val(number), 'bigint').as('number'),
        'own.session',
      ])
      .where('own.id', '=', session_id)
      .where('own.category', '=', 'session'),
);

/** Adds an event of a stream that is there; of another one nothing. */
const addEvent = insertRows(
  sessionEventsTable,
  { id: uuid, category: 'text', position: 'bigint', revision: 'integer' },
  (db, { id, category, position, revision }) =>
    db
      .selectFrom('session_streams_v3 as own')
      .select((of) => [
        'own.session',
        of.cast<number>(of.val(position), 'bigint').as('position'),
        'own.number as stream',
        of.cast<number>(of.val(revision), 'integer').as('revision'),
      ])
      .where('own.id', '=', id)
      .where('own.category', '=', category),
);

const ofSession: Handler<Event> = ({ position, revision }, id) => {
  const [category, number] = ['session', storedPosition(position)];
  const event = addEvent({ id, category, position: number, revision });
  return revision === 0 ? [addSession({ id, category, number, session: number }), event] : [event];
};

function ofRun(category: string): Handler<Event> {
  return ({ position, revision, metadata: { correlationId: sessionId } }, id) => {
    const number = storedPosition(position);
    const event = addEvent({ id, category, position: number, revision });
    return revision === 0 ? [addRun({ id, category, number, sessionId }), event] : [event];
  };
}

/** The positions of the events of each session, its solicitations and arbitrations. The correlation id of those is the session. */
export const sessionEventsProjection: Projection<'session_events'> = {
  name: 'session_events',
  version: 3,
  tables: [sessionStreamsTable, sessionEventsTable],
  on: { session: ofSession, solicitation: ofRun('solicitation'), arbitration: ofRun('arbitration') },
};

/** The location of an event; the log has the event itself. */
export interface EventLocation {
  /** Its stream, without the prefix of the log. */
  readonly name: string;
  readonly revision: number;
}

/**
 * The events of a session with its solicitations and arbitrations, in log order; those after a position if one is named.
 * @param show the items for locations
 */
export function listSessionEvents<Item>(
  db: Rows<'session_events'>,
  { sessionId, afterPosition }: { readonly sessionId: string; readonly afterPosition?: string },
  request: PageRequest,
  show: (locations: readonly EventLocation[]) => Items<Item>,
): Promise<Page<Item> | Rejection> {
  const all = db
    .selectFrom('session_events_v3 as event')
    .innerJoin('session_streams_v3 as stream', 'stream.number', 'event.stream')
    .select(['stream.id', 'stream.category', 'event.revision', 'event.position'])
    .where('event.session', '=', numberOf(db, sessionId));
  const after = afterPosition === undefined ? undefined : storedPosition(afterPosition);
  return pageOfRows(request, {
    list: 'session-events',
    rows: after === undefined ? all : all.where('event.position', '>', after),
    table: sessionEventsTable,
    by: 'event.position',
    readKey: numberInKey,
    toItems: (rows) =>
      show(
        rows.map(({ id, category, revision }) => ({ name: `${category}-${uuidFromStored(id)}`, revision })),
      ),
  });
}

function numberOf(db: Rows<'session_events'>, sessionId: string) {
  return db
    .selectFrom('session_streams_v3')
    .select('number')
    .where('id', '=', storedUuid(sessionId))
    .where('category', '=', 'session');
}

/** A list of a session: empty if it has no items, refused for an unknown session. */
export async function listOfSession<Item>(
  db: Rows<'session_events'>,
  sessionId: string,
  list: () => Promise<Page<Item> | Rejection>,
): Promise<Page<Item> | Rejection> {
  const events = await listSessionEvents(db, { sessionId }, { limit: 1 }, (found) => found);
  const isThere = 'items' in events && events.items.length > 0;
  return isThere ? list() : sessionRejections.unknownSession(sessionId);
}
