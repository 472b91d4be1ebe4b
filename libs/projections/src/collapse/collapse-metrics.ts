import type { AlignmentSnapshot } from '#lib/session';
import { DECIDING_RULE } from '#lib/specialist';
import { alignmentUnder, type SpecialistAlignment } from '../alignment/alignment.queries.js';
import type { Rows } from '../store/rows.js';
import { textFromStored } from '../store/stored-values.js';
import { countDecisions, type DecisionCounts, type StateDecisionCounts } from './decision-counts.js';
import {
  type MonitoringSignal,
  monitoringSignals,
  RECENT_DECISIONS,
  type RecentDecision,
} from './monitoring-signals.js';
import { currentRows } from '../specialists/specialist-record.js';
import { type SpecialistWins, winsBySpecialist } from './specialist-wins.js';

/** How far the decisions of a machine have come to need no person. */
export interface CollapseMetrics extends DecisionCounts {
  readonly machineName: string;
  /** `collapseRatio` of the last 10. */
  readonly recentCollapseRatio: number;
  /** Of each state that was left, by name. */
  readonly states: readonly StateDecisionCounts[];
  /** Under the rule that decisions are made by. */
  readonly alignment: readonly SpecialistAlignment[];
  readonly specialists: readonly SpecialistWins[];
  readonly signals: readonly MonitoringSignal[];
}

/** All zero and empty for a machine without sessions. */
export async function collapseMetrics(
  db: Rows<'decisions' | 'alignment' | 'specialists'>,
  machineName: string,
): Promise<CollapseMetrics> {
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
    recentCollapseRatio: recent.length === 0 ? 0 : alone / recent.length,
    alignment,
    specialists,
    signals,
  };
}

async function recentDecisions(
  db: Rows<'decisions'>,
  machineName: string,
): Promise<readonly RecentDecision[]> {
  const rows = await db
    .selectFrom('decisions_v5 as decision')
    .innerJoin('decision_bases_v5 as basis', (join) =>
      join
        .onRef('basis.session_id', '=', 'decision.session_id')
        .onRef('basis.round_id', '=', 'decision.round_id'),
    )
    .leftJoin('proposals_v5 as winner', 'winner.proposal_id', 'decision.winning_proposal_id')
    .select([
      'decision.from_state',
      'decision.margin',
      'decision.threshold',
      'basis.alignment',
      'winner.specialist_id',
      'winner.specialist_version',
      'decision.kind',
    ])
    .where('decision.machine_name', '=', machineName)
    .where('decision.by_operator', '=', 0)
    .orderBy('decision.position', 'desc')
    .limit(RECENT_DECISIONS)
    .execute();
  return rows.map((row) => {
    const { scores } = JSON.parse(row.alignment) as AlignmentSnapshot;
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
