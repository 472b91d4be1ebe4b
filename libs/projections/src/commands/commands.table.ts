import { table } from '../store/table.js';

export const commandsTable = table(
  'commands_v1',
  { command_id: 'text', fingerprint: 'text', stream: 'text', first_revision: 'integer' },
  ['command_id'],
);
