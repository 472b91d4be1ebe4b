import { table } from '../store/table.js';

export const solicitationsTable = table(
  'solicitations_v1',
  {
    solicitation_id: 'text',
    session_id: 'text',
    round_id: 'text',
    specialist_id: 'text',
    status: 'text',
    solicited_at: 'bigint',
    position: 'text',
  },
  ['solicitation_id'],
  [['status', 'position']],
);
