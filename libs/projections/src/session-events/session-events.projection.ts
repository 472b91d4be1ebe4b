import type { RecordedEvent } from '#lib/kernel';
import { storedPosition } from '../row/stored-position.js';
import type { Change } from '../store/statement.js';
import type { Projection } from '../runner/projection.js';
import { insertRow } from '../store/insert-row.js';
import { sessionEventsTable } from './session-events.table.js';

const addEvent = insertRow(sessionEventsTable);

function placed(sessionId: string, { position, stream, revision }: RecordedEvent): Change[] {
  return [addEvent({ session_id: sessionId, position: storedPosition(position), stream, revision })];
}

/** The positions of the events of each session, its solicitations and arbitrations. The correlation id of those is the session. */
export const sessionEventsProjection: Projection<'session_events'> = {
  name: 'session_events',
  version: 2,
  tables: [sessionEventsTable],
  on: {
    session: (event, sessionId) => placed(sessionId, event),
    solicitation: (event) => placed(event.metadata.correlationId, event),
    arbitration: (event) => placed(event.metadata.correlationId, event),
  },
};
