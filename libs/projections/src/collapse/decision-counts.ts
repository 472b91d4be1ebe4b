import type { ExpressionBuilder } from 'kysely';
import { rounded } from '../row/rounded.js';
import { textFromStored } from '../row/stored-text.js';
import type { ReadSchema } from '../store/read-schema.js';
import type { Rows } from '../store/rows.js';

/** Decisions by who made them. */
export interface DecisionCounts {
  /** Decisions of people and of arbiters. */
  readonly totalDecisions: number;
  /** Decisions that a person forced. */
  readonly humanDecisions: number;
  /** Decisions of an arbiter for a transition that a person had proposed, too. */
  readonly agreedDecisions: number;
  /** Decisions of an arbiter for a transition that no person had proposed. */
  readonly aiDecisions: number;
  /** Transitions that an operator executed: not in the total, and left out of everything else but the win rates. */
  readonly operatorDecisions: number;
  /** Share of the decisions that models made alone, from 0 to 1; 0 before there was any. */
  readonly collapseRatio: number;
  /** Of the decisions that an arbiter measured a margin for; null where there is none. */
  readonly meanMargin: number | null;
}

export interface StateDecisionCounts extends DecisionCounts {
  readonly state: string;
}

export type DecisionKind = 'person' | 'agreement' | 'models' | 'operator';

type Decision = ReadSchema & { decision: ReadSchema['decisions_v1'] };

/** The author of a decision. Reads `decisions_v1 as decision`. */
export function decisionKind(eb: ExpressionBuilder<Decision, 'decision'>) {
  const proposedByPerson = eb
    .selectFrom('decision_proposals_v1 as proposed')
    .select('proposed.proposal_id')
    .whereRef('proposed.session_id', '=', 'decision.session_id')
    .whereRef('proposed.round_id', '=', 'decision.round_id')
    .whereRef('proposed.transition_name', '=', 'decision.transition_name')
    .where('proposed.is_human', '=', 1);
  return eb
    .case()
    .when('decision.how', '=', 'override')
    .then<DecisionKind>('person')
    .when('decision.how', '=', 'operator')
    .then<DecisionKind>('operator')
    .when(eb.exists(proposedByPerson))
    .then<DecisionKind>('agreement')
    .else<DecisionKind>('models')
    .end();
}

interface CountedRow {
  readonly from_state: string;
  readonly kind: DecisionKind;
  readonly count: number;
  readonly margins: number;
  readonly margin: number;
}

/** Of a machine in all, and of each state that was left, by name. */
export async function countDecisions(
  db: Rows<'decisions'>,
  machineName: string,
): Promise<DecisionCounts & { readonly states: readonly StateDecisionCounts[] }> {
  const rows = await countedRows(db, machineName);
  const states = [...new Set(rows.map(({ from_state }) => from_state))].toSorted();
  return {
    ...countsOf(rows),
    states: states.map((state) => ({
      state: textFromStored(state),
      ...countsOf(rows.filter(({ from_state }) => from_state === state)),
    })),
  };
}

async function countedRows(db: Rows<'decisions'>, machineName: string): Promise<readonly CountedRow[]> {
  const rows = await db
    .selectFrom(decidedBy(db, machineName).as('decided'))
    .select(({ fn }) => [
      'decided.from_state',
      'decided.kind',
      fn.countAll().as('count'),
      fn.count('decided.margin').as('margins'),
      fn.sum('decided.margin').as('margin'),
    ])
    .groupBy(['decided.from_state', 'decided.kind'])
    .execute();
  return rows.map(({ from_state, kind, count, margins, margin }) => ({
    from_state,
    kind,
    count: Number(count),
    margins: Number(margins),
    margin: Number(margin ?? 0),
  }));
}

function decidedBy(db: Rows<'decisions'>, machineName: string) {
  return db
    .selectFrom('decisions_v1 as decision')
    .select((eb) => ['decision.from_state', 'decision.margin', decisionKind(eb).as('kind')])
    .where('decision.machine_name', '=', machineName);
}

function countsOf(rows: readonly CountedRow[]): DecisionCounts {
  const sum = (member: 'count' | 'margins' | 'margin', ...kinds: readonly DecisionKind[]) =>
    rows.filter(({ kind }) => kinds.includes(kind)).reduce((total, row) => total + row[member], 0);
  const totalDecisions = sum('count', 'person', 'agreement', 'models');
  const aiDecisions = sum('count', 'models');
  const measured = sum('margins', 'agreement', 'models');
  return {
    totalDecisions,
    humanDecisions: sum('count', 'person'),
    agreedDecisions: sum('count', 'agreement'),
    aiDecisions,
    operatorDecisions: sum('count', 'operator'),
    collapseRatio: totalDecisions === 0 ? 0 : aiDecisions / totalDecisions,
    meanMargin: measured === 0 ? null : rounded(sum('margin', 'agreement', 'models') / measured),
  };
}
