import { table } from '../store/table.js';

/**
 * Each time a version of a proposer that is not human proposed in a round that a person decided, and those that a version took
 * over from the one before. `state` is "" where the whole machine counts.
 */
export const alignmentComparisonsTable = table(
  'alignment_comparisons_v2',
  {
    proposal_id: 'text',
    session_id: 'text',
    round_id: 'text',
    specialist_id: 'text',
    specialist_version: 'integer',
    machine_name: 'text',
    state: 'text',
    matched: 'integer',
    decided_at: 'bigint',
    /** Of the person's decision. */
    position: 'text',
  },
  ['proposal_id', 'specialist_version'],
  [['machine_name', 'position']],
);

/** The comparisons, counted. */
export const alignmentTalliesTable = table(
  'alignment_tallies_v2',
  {
    machine_name: 'text',
    state: 'text',
    specialist_id: 'text',
    specialist_version: 'integer',
    matching: 'integer',
    total: 'integer',
    /** Of the last comparison. */
    position: 'text',
  },
  ['machine_name', 'state', 'specialist_id', 'specialist_version'],
  [['specialist_id']],
);
