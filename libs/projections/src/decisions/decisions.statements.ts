import type { Kysely } from 'kysely';
import { insertRow, insertRowOnce } from '../store/insert-row.js';
import type { ReadSchema } from '../store/read-schema.js';
import { statement } from '../store/statement.js';
import type { RowOf } from '../store/table.js';
import {
  decisionBasesTable,
  decisionSessionsTable,
  type decisionsTable,
  decisionThresholdsTable,
} from './decisions.tables.js';

export const addSession = insertRowOnce(decisionSessionsTable);
export const addThreshold = insertRowOnce(decisionThresholdsTable);
export const addBasis = insertRow(decisionBasesTable);

/** The author: a person, an arbiter for what a person had proposed too, an arbiter for what only models proposed, or an operator. */
export type DecisionKind = 'person' | 'agreement' | 'models' | 'operator';

/** The columns of a decision that its event gives; earlier events gave the others. */
type ExecutedDecision = Omit<
  RowOf<typeof decisionsTable>,
  'machine_name' | 'how' | 'kind' | 'by_operator' | 'margin' | 'threshold'
>;

/**
 * Without a basis it was an operator's. The threshold is the one that the arbiter went by, else what the machine declares for
 * the state. Refused where the session was never created.
 */
export const addDecision = statement<ExecutedDecision>((db, values) => {
  const basis = db
    .selectFrom('decision_bases_v5')
    .where('session_id', '=', values.session_id)
    .where('round_id', '=', values.round_id);
  const session = db.selectFrom('decision_sessions_v5').where('session_id', '=', values.session_id);
  const proposedByPerson = db
    .selectFrom('proposals_v5')
    .select('proposal_id')
    .where('session_id', '=', values.session_id)
    .where('round_id', '=', values.round_id)
    .where('transition_name', '=', values.transition_name)
    .where('is_counted', '=', 1)
    .where('is_human', '=', 1);
  return db.insertInto('decisions_v5').values((eb) => ({
    session_id: values.session_id,
    revision: values.revision,
    machine_name: session.select('machine_name'),
    round_id: values.round_id,
    from_state: values.from_state,
    to_state: values.to_state,
    transition_name: values.transition_name,
    how: eb.fn.coalesce(basis.select('how'), eb.val<string>('operator')),
    kind: eb
      .case()
      .when(eb.not(eb.exists(basis.select('how'))))
      .then<DecisionKind>('operator')
      .when(eb.exists(basis.select('how').where('how', '=', 'override')))
      .then<DecisionKind>('person')
      .when(eb.exists(proposedByPerson))
      .then<DecisionKind>('agreement')
      .else<DecisionKind>('models')
      .end(),
    by_operator: eb
      .case()
      .when(eb.exists(basis.select('how')))
      .then(0)
      .else(1)
      .end(),
    is_human: values.is_human,
    winning_proposal_id: values.winning_proposal_id,
    reasoning: values.reasoning,
    margin: basis.select('margin'),
    threshold: eb.fn.coalesce(basis.select('threshold'), declaredThreshold(db, values)),
    decided_at: values.decided_at,
    position: values.position,
    log_id: values.log_id,
  }));
});

function declaredThreshold(db: Kysely<ReadSchema>, values: ExecutedDecision) {
  return db
    .selectFrom('decision_thresholds_v5 as declared')
    .innerJoin('decision_sessions_v5 as session', 'session.machine_hash', 'declared.machine_hash')
    .select('declared.threshold')
    .where('session.session_id', '=', values.session_id)
    .where('declared.state', '=', values.from_state);
}
