import { table } from '../store/table.js';

export const sessionEventsTable = table(
  'session_events_v1',
  { session_id: 'text', position: 'text', stream: 'text', revision: 'integer' },
  ['session_id', 'position'],
);
