import type { Event, Rejection } from '#lib/kernel';
import { sessionRejections } from '#lib/decisions/session';
import {
  documents,
  facts,
  type FoldOf,
  type NumberedEvent,
  type Page,
  type ReadModel,
} from '../loop/declare.js';
import { foldedTable } from '../loop/folded-table.js';
import { sessions, sessionsTable } from '../sessions/sessions.tables.js';
import { uuid } from '../store/columns.js';
import { type Items, type Page as PageOf, type PageRequest } from '../store/page.js';
import { pageOfRows } from '../store/page-of-rows.js';
import type { Rows } from '../store/rows.js';
import { storedPosition, storedUuid, uuidFromStored } from '../store/stored-values.js';
import type { SchemaOf } from '../store/table.js';

/** The solicitations and arbitrations of sessions, by the numbers of their first events. */
const sessionRunsTable = foldedTable(
  'session_runs',
  {
    run_id: uuid,
    category: 'text',
    number: 'bigint',
    /** The number of the session. */
    session: 'bigint',
  },
  ['run_id'],
  [['number']],
);

/** The events of these streams and of sessions, by the numbers of session and stream. */
const sessionEventsTable = foldedTable(
  'session_events',
  { session: 'bigint', position: 'bigint', stream: 'bigint', revision: 'integer' },
  ['session', 'position'],
);

type SessionEventTables = SchemaOf<typeof sessionRunsTable | typeof sessionEventsTable>;

const sessionRuns = documents(sessionRunsTable, 'run_id');
const sessionEvents = facts(sessionEventsTable);

const ofSession: FoldOf<Event> = {
  needs: (_, sessionId) => [[sessions, sessionId]],
  fold: (page, event, sessionId) => {
    const session = page.see(sessions, sessionId)?.number;
    if (session !== undefined) addEvent(page, event, session, session);
  },
};

/** The correlation id of a run is its session. */
const ofRun: FoldOf<Event> = {
  needs: ({ revision, metadata }, runId) => [
    [sessionRuns, runId],
    ...(revision === 0 ? [[sessions, metadata.correlationId] as const] : []),
  ],
  fold: (page, event, runId, category) => {
    if (event.revision === 0) addRun(page, event, runId, category);
    const run = page.see(sessionRuns, runId);
    if (run) addEvent(page, event, run.session, run.number);
  },
};

function addRun(page: Page, { number, metadata }: NumberedEvent, runId: string, category: string): void {
  const session = page.see(sessions, metadata.correlationId)?.number;
  if (session !== undefined) page.put(sessionRuns, { runId, category, number, session });
}

function addEvent(page: Page, { position, revision }: NumberedEvent, session: number, stream: number): void {
  page.add(sessionEvents, { session, position: storedPosition(position), stream, revision });
}

/** The positions of the events of each session and of its solicitations and arbitrations. */
export const sessionEventsModel: ReadModel<'session_events'> = {
  name: 'session_events',
  kinds: [sessionRuns, sessionEvents],
  sees: ['sessions'],
  on: { session: ofSession, solicitation: ofRun, arbitration: ofRun },
};

/** The place of an event. The event itself is in the log. */
export interface EventLocation {
  /** Its stream, without the prefix of the log. */
  readonly name: string;
  readonly revision: number;
}

/**
 * The events of a session, its solicitations and arbitrations in log order, by default from the start.
 * @param show the items for places
 */
export function listSessionEvents<Item>(
  db: Rows<'session_events'>,
  { sessionId, afterPosition }: { readonly sessionId: string; readonly afterPosition?: string },
  request: PageRequest,
  show: (locations: readonly EventLocation[]) => Items<Item>,
): Promise<PageOf<Item> | Rejection> {
  const all = db
    .withTables<SessionEventTables>()
    .selectFrom(`${sessionEventsTable.name} as event` as const)
    .leftJoin(`${sessionRunsTable.name} as run` as const, 'run.number', 'event.stream')
    .select(['run.run_id', 'run.category', 'event.revision', 'event.position'])
    .where('event.session', '=', numberOf(db, sessionId));
  const after = afterPosition === undefined ? undefined : storedPosition(afterPosition);
  return pageOfRows(request, {
    list: `events of session ${sessionId}`,
    rows: after === undefined ? all : all.where('event.position', '>', after),
    table: sessionEventsTable,
    by: 'event.position',
    toItems: (rows) =>
      show(
        rows.map(({ run_id, category, revision }) => ({
          name: run_id ? `${category}-${uuidFromStored(run_id)}` : `session-${sessionId}`,
          revision,
        })),
      ),
  });
}

function numberOf(db: Rows<'session_events'>, sessionId: string) {
  return db.selectFrom(sessionsTable.name).select('number').where('session_id', '=', storedUuid(sessionId));
}

/** A list of a session: empty without items, a rejection for an unknown session. */
export async function listOfSession<Item>(
  db: Rows<'session_events'>,
  sessionId: string,
  list: () => Promise<PageOf<Item> | Rejection>,
): Promise<PageOf<Item> | Rejection> {
  const events = await listSessionEvents(db, { sessionId }, { limit: 1 }, (found) => found);
  const isThere = 'items' in events && events.items.length > 0;
  return isThere ? list() : sessionRejections.unknownSession(sessionId);
}
