import { table } from '../store/table.js';

export const sessionEventsTable = table(
  'session_events_v2',
  { session_id: 'text', position: 'bigint', stream: 'text', revision: 'integer' },
  ['session_id', 'position'],
);
