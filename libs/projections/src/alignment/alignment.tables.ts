import { table } from '../store/table.js';

/** Each time a proposer that is no human proposed in a round that a person decided. `state` is "" where the whole machine counts. */
export const alignmentComparisonsTable = table(
  'alignment_comparisons_v1',
  {
    proposal_id: 'text',
    session_id: 'text',
    round_id: 'text',
    specialist_id: 'text',
    machine_name: 'text',
    state: 'text',
    matched: 'integer',
    decided_at: 'bigint',
    /** Of the person's decision. */
    position: 'text',
  },
  ['proposal_id'],
  [['machine_name', 'position']],
);

/** The comparisons, counted. */
export const alignmentTalliesTable = table(
  'alignment_tallies_v1',
  {
    machine_name: 'text',
    state: 'text',
    specialist_id: 'text',
    matching: 'integer',
    total: 'integer',
    /** Of the last comparison. */
    position: 'text',
  },
  ['machine_name', 'state', 'specialist_id'],
  [['specialist_id']],
);
