import { table } from '../store/table.js';

/** The open ones alone: a row goes once its arbitration is closed. */
export const openArbitrationsTable = table(
  'open_arbitrations_v1',
  {
    arbitration_id: 'text',
    session_id: 'text',
    round_id: 'text',
    arbiter_id: 'text',
    requested_at: 'bigint',
    position: 'text',
  },
  ['arbitration_id'],
  [['position']],
);
