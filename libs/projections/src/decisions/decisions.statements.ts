import { insertRow, insertRowOnce } from '../store/insert-row.js';
import { statement } from '../store/statement.js';
import type { RowOf } from '../store/table.js';
import {
  decisionBasesTable,
  decisionProposalsTable,
  decisionSessionsTable,
  type decisionsTable,
  decisionThresholdsTable,
} from './decisions.tables.js';

export const addSession = insertRowOnce(decisionSessionsTable);
export const addThreshold = insertRowOnce(decisionThresholdsTable);
export const addProposal = insertRow(decisionProposalsTable);
export const addBasis = insertRow(decisionBasesTable);

/** The columns of a decision that its event gives; earlier events gave the others. */
export type ExecutedDecision = Omit<
  RowOf<typeof decisionsTable>,
  'machine_name' | 'how' | 'margin' | 'threshold'
>;

/**
 * Without a basis it was an operator's. The threshold is the one that the arbiter went by, else what the machine declares for
 * the state. Refused where the session was never created.
 */
export const addDecision = statement<ExecutedDecision>((db, given) => {
  const basis = db
    .selectFrom('decision_bases_v1')
    .where('session_id', '=', given.session_id)
    .where('round_id', '=', given.round_id);
  const session = db.selectFrom('decision_sessions_v1').where('session_id', '=', given.session_id);
  const declared = db
    .selectFrom('decision_thresholds_v1 as declared')
    .innerJoin('decision_sessions_v1 as session', 'session.machine_hash', 'declared.machine_hash')
    .select('declared.threshold')
    .where('session.session_id', '=', given.session_id)
    .where('declared.state', '=', given.from_state);
  return db.insertInto('decisions_v1').values((eb) => ({
    session_id: given.session_id,
    revision: given.revision,
    machine_name: session.select('machine_name'),
    round_id: given.round_id,
    from_state: given.from_state,
    to_state: given.to_state,
    transition_name: given.transition_name,
    how: eb.fn.coalesce(basis.select('how'), eb.val<string>('operator')),
    is_human: given.is_human,
    winning_proposal_id: given.winning_proposal_id,
    reasoning: given.reasoning,
    margin: basis.select('margin'),
    threshold: eb.fn.coalesce(basis.select('threshold'), declared),
    decided_at: given.decided_at,
    position: given.position,
  }));
});
