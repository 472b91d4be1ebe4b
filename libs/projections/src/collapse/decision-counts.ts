import type { DecisionKind } from '../decisions/decisions.tables.js';
import type { Rows } from '../store/rows.js';
import { rounded, textFromStored } from '../store/stored-values.js';

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
    .selectFrom('decision_totals_v5')
    .selectAll()
    .where('machine_name', '=', machineName)
    .execute();
  return rows.map((row) => ({
    from_state: row.from_state,
    kind: row.kind as DecisionKind,
    count: row.decisions,
    margins: row.margins,
    margin: row.margin,
  }));
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
