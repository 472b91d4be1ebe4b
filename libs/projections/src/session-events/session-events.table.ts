import { table } from '../store/table.js';

/**
 * The streams of sessions: their own, and those of their solicitations and arbitrations. The number of a stream is the position
 * of its first event, so that events name their streams in a few bytes.
 */
export const sessionStreamsTable = table(
  'session_streams_v3',
  {
    /** Without the prefix of the log. */
    name: 'text',
    number: 'bigint',
    /** The number of the session's own stream. */
    session: 'bigint',
  },
  ['name'],
  [['number']],
);

/** The events of these streams, by the numbers of session and stream. */
export const sessionEventsTable = table(
  'session_events_v3',
  { session: 'bigint', position: 'bigint', stream: 'bigint', revision: 'integer' },
  ['session', 'position'],
);
