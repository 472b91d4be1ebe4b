import { table } from '../store/table.js';

/** How far each projection has come. `position` is "" before the first event. */
export const checkpointsTable = table(
  'checkpoints',
  {
    name: 'text',
    version: 'integer',
    position: 'text',
    /** The head of the log when a rebuild began; "" where none did. */
    rebuilding_until: 'text',
  },
  ['name', 'version'],
);
