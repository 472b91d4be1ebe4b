import { DECIDING_RULE } from '#lib/decisions/specialists';
import { alignmentUnder } from '../alignment/alignment.queries.js';
import type { Rows } from '../store/rows.js';
import { rounded, textFromStored } from '../store/stored-values.js';
import { pick, recordOf, type RowOf } from '../store/table.js';
import { isCounted } from '../decisions/counted-proposals.js';
import {
  type DecisionKind,
  decisionsTable,
  decisionTotalsTable,
  decisionWinsTable,
  proposalsTable,
} from '../decisions/decisions.tables.js';
import { monitoringSignals, RECENT_DECISIONS, type RecentDecision } from './monitoring-signals.js';
import { currentRows } from '../specialists/specialist-record.js';

/** The metrics of a machine's collapse: all zero and empty for a machine without sessions. */
export async function collapseMetrics(
  db: Rows<'sessions' | 'alignment' | 'specialists'>,
  machineName: string,
) {
  const [counts, recent, proposers, { items: alignment }, specialists] = await Promise.all([
    countDecisions(db, machineName),
    recentDecisions(db, machineName),
    countProposers(db, machineName),
    alignmentUnder(db, { machineName, rule: DECIDING_RULE }),
    winsBySpecialist(db, machineName),
  ]);
  const signals = monitoringSignals({
    comparisons: alignment.reduce((sum, { totalComparisons }) => sum + totalComparisons, 0),
    bestAlignment: Math.max(0, ...alignment.map(({ alignmentScore }) => alignmentScore)),
    proposers,
    recent,
  });
  const alone = recent.filter(({ isHuman }) => !isHuman).length;
  return {
    machineName,
    ...counts,
    /** The share of decisions without people among the last `RECENT_DECISIONS`. */
    recentCollapseRatio: recent.length === 0 ? 0 : alone / recent.length,
    alignment,
    specialists,
    signals,
  };
}

async function recentDecisions(
  db: Rows<'sessions'>,
  machineName: string,
): Promise<readonly RecentDecision[]> {
  const rows = await db
    .selectFrom(`${decisionsTable.name} as decision` as const)
    .leftJoin(`${proposalsTable.name} as proposal` as const, (join) =>
      isCounted(join).onRef('proposal.proposal_id', '=', 'decision.winning_proposal_id'),
    )
    .select([
      'decision.from_state',
      'decision.margin',
      'decision.threshold',
      'decision.basis',
      'proposal.specialist_id',
      'proposal.specialist_version',
      'decision.kind',
    ])
    .where('decision.machine_name', '=', machineName)
    .where('decision.has_basis', '=', 1)
    .where('decision.is_fork', '=', 0)
    .orderBy('decision.number', 'desc')
    .limit(RECENT_DECISIONS)
    .execute();
  return rows.map((row) => {
    const scores = recordOf(decisionsTable, pick(row, ['basis'])).basis?.alignment.scores ?? [];
    const winner = scores.find(
      (one) => one.specialistId === row.specialist_id && one.specialistVersion === row.specialist_version,
    );
    return {
      isHuman: row.kind !== 'models',
      state: textFromStored(row.from_state),
      margin: row.margin,
      ...(row.threshold !== null && { threshold: row.threshold }),
      ...(winner && { winnerComparisons: winner.comparisons ?? 0 }),
      scores,
    };
  });
}

/** The specialists that can be asked. */
async function countProposers(db: Rows<'specialists'>, machineName: string): Promise<number> {
  const { count } = await currentRows(db)
    .clearSelect()
    .select(({ fn }) => fn.countAll().as('count'))
    .where('specialist.machine_name', '=', machineName)
    .where('one.role', '=', 'proposer')
    .where('one.is_human', '=', 0)
    .where('specialist.enabled', '=', 1)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** The decisions of a machine in all, and in each left state, by name. */
async function countDecisions(db: Rows<'sessions'>, machineName: string) {
  const rows = await db
    .selectFrom(decisionTotalsTable.name)
    .selectAll()
    .where('machine_name', '=', machineName)
    .execute();
  const states = [...new Set(rows.map(({ from_state }) => from_state))].toSorted();
  return {
    ...countsOf(rows),
    states: states.map((state) => ({
      state: textFromStored(state),
      ...countsOf(rows.filter(({ from_state }) => from_state === state)),
    })),
  };
}

function countsOf(rows: readonly RowOf<typeof decisionTotalsTable>[]) {
  const sum = (member: 'decisions' | 'margins' | 'margin', ...kinds: readonly DecisionKind[]) =>
    rows
      .filter(({ kind }) => kinds.includes(kind as DecisionKind))
      .reduce((total, row) => total + row[member], 0);
  const totalDecisions = sum('decisions', 'person', 'agreement', 'models');
  const aiDecisions = sum('decisions', 'models');
  const timerDecisions = sum('decisions', 'timer');
  const measured = sum('margins', 'agreement', 'models');
  return {
    /** Decisions of people and of arbiters. */
    totalDecisions,
    /** Decisions by a person. */
    humanDecisions: sum('decisions', 'person'),
    /** An arbiter decided for a transition that a person had also proposed. */
    agreedDecisions: sum('decisions', 'agreement'),
    aiDecisions,
    /** Counted in the win rates, and in no other number. */
    operatorDecisions: sum('decisions', 'operator'),
    /** Counted like those of operators. Absent if there are none. */
    ...(timerDecisions > 0 && { timerDecisions }),
    /** From 0 to 1; 0 without decisions. */
    collapseRatio: totalDecisions === 0 ? 0 : aiDecisions / totalDecisions,
    /** Null if no arbiter measured a margin. */
    meanMargin: measured === 0 ? null : rounded(sum('margin', 'agreement', 'models') / measured),
  };
}

/** The proposers in the decided rounds of a machine, with people, by id. */
async function winsBySpecialist(db: Rows<'sessions'>, machineName: string) {
  const rows = await db
    .selectFrom(decisionWinsTable.name)
    .selectAll()
    .where('machine_name', '=', machineName)
    .orderBy('specialist_id')
    .execute();
  return rows.map(({ specialist_id, is_human, proposals, winning }) => ({
    specialistId: specialist_id,
    isHuman: is_human === 1,
    totalProposals: proposals,
    winningProposals: winning,
    winRate: winning / proposals,
  }));
}
