import type { Event, RecordedEvent } from '#lib/kernel';
import { storedPosition } from '../row/stored-position.js';
import type { Handler, Projection } from '../runner/projection.js';
import { insertRow } from '../store/insert-row.js';
import { type Change, statement } from '../store/statement.js';
import { sessionEventsTable, sessionStreamsTable } from './session-events.table.js';

const addSession = insertRow(sessionStreamsTable);

/** Adds the stream of a run, where what it is about is a session. */
const addRun = statement<{ name: string; number: number; session: string }>((db, given) =>
  db
    .insertInto('session_streams_v3')
    .columns(['name', 'number', 'session'])
    .expression((eb) =>
      eb
        .selectFrom('session_streams_v3 as own')
        .select((of) => [
          of.cast<string>(of.val(given.name), 'text').as('name'),
          of.cast<number>(of.val(given.number), 'bigint').as('number'),
          'own.session',
        ])
        .where('own.name', '=', given.session),
    ),
);

/** Adds an event of a stream that is there; of another one nothing. */
const addEvent = statement<{ name: string; position: number; revision: number }>((db, given) =>
  db
    .insertInto('session_events_v3')
    .columns(['session', 'position', 'stream', 'revision'])
    .expression((eb) =>
      eb
        .selectFrom('session_streams_v3 as own')
        .select((of) => [
          'own.session',
          of.cast<number>(of.val(given.position), 'bigint').as('position'),
          'own.number as stream',
          of.cast<number>(of.val(given.revision), 'integer').as('revision'),
        ])
        .where('own.name', '=', given.name),
    ),
);

function placed(
  name: string,
  { position, revision }: RecordedEvent,
  addStream: (number: number) => Change,
): readonly Change[] {
  const number = storedPosition(position);
  const event = addEvent({ name, position: number, revision });
  return revision === 0 ? [addStream(number), event] : [event];
}

const ofSession: Handler<Event> = (event, id) => {
  const name = `session-${id}`;
  return placed(name, event, (number) => addSession({ name, number, session: number }));
};

function ofRun(category: string): Handler<Event> {
  return (event, id) => {
    const [name, session] = [`${category}-${id}`, `session-${event.metadata.correlationId}`];
    return placed(name, event, (number) => addRun({ name, number, session }));
  };
}

/** The positions of the events of each session, its solicitations and arbitrations. The correlation id of those is the session. */
export const sessionEventsProjection: Projection<'session_events'> = {
  name: 'session_events',
  version: 3,
  tables: [sessionStreamsTable, sessionEventsTable],
  on: { session: ofSession, solicitation: ofRun('solicitation'), arbitration: ofRun('arbitration') },
};
