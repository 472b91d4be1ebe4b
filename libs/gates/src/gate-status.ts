import { championOf } from '#lib/session';
import { DECIDING_RULE } from '#lib/specialist';
import {
  alignmentUnder,
  collapseMetrics,
  currentRows,
  RECENT_DECISIONS,
  rounded,
  type Rows,
} from '#lib/projections';

/** How far a gate has come to decide without people. */
interface GateStatus {
  /** The newest 10 decisions were all made by models alone. */
  readonly collapsed: boolean;
  /** Share of 10 that models alone made of the newest 10 decisions: from 0 to 1. */
  readonly collapseProgress: number;
  /** The enabled proposer with the highest alignment, where that is at least 0.8. */
  readonly championSpecialistId?: string;
  readonly invocationCount: number;
  readonly exemplarCount: number;
  /** Share of the decisions that a person forced, from 0 to 1; 0 before there was any. */
  readonly humanOverrideRate: number;
  /** Proposers that are no people, in the current version. */
  readonly specialists: readonly GateSpecialist[];
}

interface GateSpecialist {
  readonly specialistId: string;
  readonly specialistVersion: number;
  readonly enabled: boolean;
  /** From 0 to 1. */
  readonly alignmentScore: number;
  readonly totalComparisons: number;
}

type GateRows = Rows<'sessions' | 'exemplars' | 'decisions' | 'alignment' | 'specialists'>;

export async function gateStatus(db: GateRows, gateId: string): Promise<GateStatus> {
  const { totalDecisions, humanDecisions, recentCollapseRatio } = await collapseMetrics(db, gateId);
  const specialists = await gateSpecialists(db, gateId);
  const recent = Math.min(totalDecisions, RECENT_DECISIONS);
  const collapseProgress = rounded((recentCollapseRatio * recent) / RECENT_DECISIONS);
  const champion = enabledChampion(specialists);
  return {
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
): Promise<readonly GateSpecialist[]> {
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

function enabledChampion(specialists: readonly GateSpecialist[]): string | undefined {
  const enabled = specialists.filter((one) => one.enabled);
  return championOf(
    enabled.map(({ specialistId }) => specialistId),
    enabled.map((one) => ({ ...one, score: one.alignmentScore })),
  );
}

async function countInvocations(db: Rows<'sessions'>, gateId: string): Promise<number> {
  const { count } = await db
    .selectFrom('sessions_v2')
    .select(({ fn }) => fn.countAll().as('count'))
    .where('machine_name', '=', gateId)
    .where('machine_version', 'is not', null)
    .executeTakeFirstOrThrow();
  return Number(count);
}

async function countExemplars(db: Rows<'exemplars'>, gateId: string): Promise<number> {
  const { count } = await db
    .selectFrom('exemplars_v3')
    .select(({ fn }) => fn.countAll().as('count'))
    .where('machine_name', '=', gateId)
    .executeTakeFirstOrThrow();
  return Number(count);
}
