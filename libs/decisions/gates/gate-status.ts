import { championOf } from '#lib/decisions/session';
import { DECIDING_RULE } from '#lib/decisions/specialists';
import {
  alignmentUnder,
  type Amount,
  collapseMetrics,
  currentRows,
  exemplarsTable,
  RECENT_DECISIONS,
  rounded,
  type Rows,
  sessionsTable,
} from '#lib/read-models';
import type { GateStatus } from './gates.views.js';

type GateRows = Rows<'sessions' | 'exemplars' | 'alignment' | 'specialists'>;

/** The share of a gate's decisions without people, and its counts. */
export async function gateStatus(db: GateRows, gateId: string): Promise<Omit<GateStatus, 'meanCosts'>> {
  const { totalDecisions, humanDecisions, recentCollapseRatio } = await collapseMetrics(db, gateId);
  const specialists = await gateSpecialists(db, gateId);
  const recent = Math.min(totalDecisions, RECENT_DECISIONS);
  const collapseProgress = rounded((recentCollapseRatio * recent) / RECENT_DECISIONS);
  const champion = enabledChampion(specialists);
  return {
    gateId,
    collapsed: collapseProgress === 1,
    collapseProgress,
    ...(champion !== undefined && { championSpecialistId: champion }),
    invocationCount: await countInvocations(db, gateId),
    exemplarCount: await countExemplars(db, gateId),
    humanOverrideRate: totalDecisions === 0 ? 0 : rounded(humanDecisions / totalDecisions),
    specialists,
  };
}

async function gateSpecialists(
  db: Rows<'specialists' | 'alignment'>,
  gateId: string,
): Promise<GateStatus['specialists']> {
  const { items } = await alignmentUnder(db, { machineName: gateId, rule: DECIDING_RULE });
  const rows = await currentRows(db)
    .where('specialist.machine_name', '=', gateId)
    .where('one.role', '=', 'proposer')
    .where('one.is_human', '=', 0)
    .orderBy('specialist.specialist_id')
    .execute();
  return rows.map(({ specialist_id: specialistId, version: specialistVersion, enabled }) => {
    const known = items.find(
      (one) => one.specialistId === specialistId && one.specialistVersion === specialistVersion,
    );
    const { alignmentScore = 0, totalComparisons = 0 } = known ?? {};
    return { specialistId, specialistVersion, enabled: enabled === 1, alignmentScore, totalComparisons };
  });
}

function enabledChampion(specialists: GateStatus['specialists']): string | undefined {
  const enabled = specialists.filter((one) => one.enabled);
  return championOf(
    enabled.map(({ specialistId }) => specialistId),
    enabled.map(({ alignmentScore: score, ...one }) => ({ ...one, score })),
  );
}

/** The number of invocations, without forks. */
async function countInvocations(db: Rows<'sessions'>, gateId: string): Promise<number> {
  const { count } = await db
    .selectFrom(sessionsTable.name)
    .select(({ fn }) => fn.countAll().as('count'))
    .where('machine_name', '=', gateId)
    .where('machine_version', 'is not', null)
    .where('forked_from', 'is', null)
    .executeTakeFirstOrThrow();
  return Number(count);
}

async function countExemplars(db: Rows<'exemplars'>, gateId: string): Promise<number> {
  const { count } = await db
    .selectFrom(exemplarsTable.name)
    .select(({ fn }) => fn.countAll().as('count'))
    .where('machine_name', '=', gateId)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** The mean of amounts over a count, by currency, in order of its name. */
export function meanAmounts(amounts: readonly Amount[], count: number): readonly Amount[] {
  const currencies = [...new Set(amounts.map(({ currency }) => currency))].toSorted();
  return currencies.map((currency) => {
    const own = amounts.filter((one) => one.currency === currency);
    return { currency, amount: own.reduce((sum, { amount }) => sum + amount, 0) / Math.max(1, count) };
  });
}
