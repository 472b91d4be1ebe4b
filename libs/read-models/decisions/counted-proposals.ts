import type { JoinBuilder } from 'kysely';
import type { ReadSchema } from '../store/read-schema.js';
import type { RowOf } from '../store/table.js';
import type { decisionsTable, proposalsTable } from './decisions.tables.js';

type Joined = ReadSchema & {
  readonly decision: RowOf<typeof decisionsTable>;
  readonly proposal: RowOf<typeof proposalsTable>;
};

/** Joins a decision with the proposals that count in its round: those of its session from the round's first proposal to the decision. */
export function isCounted(join: JoinBuilder<Joined, 'decision' | 'proposal'>) {
  return join
    .onRef('proposal.session_id', '=', 'decision.session_id')
    .onRef('proposal.number', '>=', 'decision.first')
    .onRef('proposal.number', '<', 'decision.number')
    .on('proposal.status', '=', 'open');
}
