import type { AlignmentSnapshot } from '#lib/session';
import { DECIDING_RULE } from '#lib/specialist';
import { alignmentUnder, type SpecialistAlignment } from '../alignment/alignment-under.js';
import { rounded } from '../row/rounded.js';
import { textFromStored } from '../row/stored-text.js';
import type { Rows } from '../store/rows.js';
import {
  type MonitoringSignal,
  monitoringSignals,
  RECENT_DECISIONS,
  type RecentDecision,
} from './monitoring-signals.js';
import { currentRows } from '../specialists/specialist-record.js';
import { type SpecialistWins, winsBySpecialist } from './specialist-wins.js';

/** How far the decisions of a machine have come to need no person. */
export interface CollapseMetrics {
  readonly machineName: string;
  /** Those of people and of arbiters. */
  readonly totalDecisions: number;
  readonly humanDecisions: number;
  /** Those that an arbiter took. */
  readonly aiDecisions: number;
  /** Transitions that an operator executed: neither, and left out of everything else here but the win rates. */
  readonly operatorDecisions: number;
  /** Share of the decisions that no person took, from 0 to 1; 0 before there was any. */
  readonly collapseRatio: number;
  /** The same of the last 10. */
  readonly recentCollapseRatio: number;
  /** Of the decisions that an arbiter took and measured a margin for; null where there is none. */
  readonly meanMargin: number | null;
  /** Under the rule that decisions are made by. */
  readonly alignment: readonly SpecialistAlignment[];
  readonly specialists: readonly SpecialistWins[];
  readonly signals: readonly MonitoringSignal[];
}

/** All zero and empty for a machine that nobody ran. */
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
  const total = counts.humanDecisions + counts.aiDecisions;
  const signals = monitoringSignals({
    comparisons: alignment.reduce((sum, { totalComparisons }) => sum + totalComparisons, 0),
    bestAlignment: Math.max(0, ...alignment.map(({ alignmentScore }) => alignmentScore)),
    proposers,
    recent,
  });
  return {
    machineName,
    totalDecisions: total,
    ...counts,
    collapseRatio: shareOf(counts.aiDecisions, total),
    recentCollapseRatio: shareOf(recent.filter(({ isHuman }) => !isHuman).length, recent.length),
    alignment,
    specialists,
    signals,
  };
}

function shareOf(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole;
}

async function countDecisions(db: Rows<'decisions'>, machineName: string) {
  const rows = await db
    .selectFrom('decisions_v1')
    .select(({ fn }) => ['how', fn.countAll().as('count'), fn.avg('margin').as('mean_margin')])
    .where('machine_name', '=', machineName)
    .groupBy('how')
    .execute();
  const of = (how: string) => rows.find((row) => row.how === how);
  const mean = of('consensus')?.mean_margin ?? null;
  return {
    humanDecisions: Number(of('override')?.count ?? 0),
    aiDecisions: Number(of('consensus')?.count ?? 0),
    operatorDecisions: Number(of('operator')?.count ?? 0),
    meanMargin: mean === null ? null : rounded(Number(mean)),
  };
}

async function recentDecisions(
  db: Rows<'decisions'>,
  machineName: string,
): Promise<readonly RecentDecision[]> {
  const rows = await db
    .selectFrom('decisions_v1 as decision')
    .innerJoin('decision_bases_v1 as basis', (join) =>
      join
        .onRef('basis.session_id', '=', 'decision.session_id')
        .onRef('basis.round_id', '=', 'decision.round_id'),
    )
    .select([
      'decision.how',
      'decision.from_state',
      'decision.margin',
      'decision.threshold',
      'basis.alignment',
    ])
    .where('decision.machine_name', '=', machineName)
    .orderBy('decision.position', 'desc')
    .limit(RECENT_DECISIONS)
    .execute();
  return rows.map((row) => ({
    isHuman: row.how === 'override',
    state: textFromStored(row.from_state),
    margin: row.margin,
    ...(row.threshold !== null && { threshold: row.threshold }),
    scores: (JSON.parse(row.alignment) as AlignmentSnapshot).scores,
  }));
}

/** Those that can be asked. */
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
