import { isRejection } from '#lib/kernel';
import { wilsonLowerBound } from '#lib/decisions/specialists';
import { machineOfSpecialist, type SpecialistName } from '../specialists/specialists.queries.js';
import type { Rows } from '../store/rows.js';
import { rounded } from '../store/stored-values.js';
import { isCounted } from './counted-proposals.js';
import { decisionsTable, proposalsTable } from './decisions.tables.js';

interface AccuracyQuestion {
  /** Default: the specialist's own machine. */
  readonly machineName?: string;
  /** The number of last rounds with a proposal of the specialist: a whole number from 1. */
  readonly lookback: number;
  /** Only this version; default: all versions. */
  readonly specialistVersion?: number | undefined;
}

/**
 * The accuracy of a specialist in decided rounds (those of `chosenRounds`), computed from recorded events without a new call.
 * Rates are from 0 to 1 and null without rounds; the cost and the latency are those of its proposals, null if none has one.
 */
export async function accuracyOf(
  db: Rows<'sessions' | 'specialists'>,
  name: SpecialistName,
  { machineName, ...which }: AccuracyQuestion,
) {
  const own = await machineOfSpecialist(db, name, machineName);
  if (isRejection(own)) return own;
  const { specialistId } = name;
  const rounds = await decidedRounds(db, specialistId, { machineName: machineName ?? own, ...which });
  const share = (count: number) => (rounds.length === 0 ? null : count / rounds.length);
  const matchingChoices = rounds.filter((row) => row.transition_name === row.decided_transition).length;
  const rightStates = rounds.filter((row) => row.to_state === row.decided_state).length;
  const costs = rounds.flatMap(({ cost_usd }) => cost_usd ?? []);
  const latencies = rounds.flatMap(({ latency_msec }) => latency_msec ?? []);
  return {
    specialistId,
    rounds: rounds.length,
    matchingChoices,
    transitionRate: share(matchingChoices),
    stateRate: share(rightStates),
    alignmentScore: wilsonLowerBound({ matchingChoices, totalComparisons: rounds.length }),
    totalCostUSD: costs.length === 0 ? null : rounded(sum(costs)),
    meanLatencyMsec: latencies.length === 0 ? null : rounded(sum(latencies) / latencies.length),
  };
}

/**
 * The last decided rounds. Decisions are read by machine and position, and the proposals of each by its session, until there are
 * enough: SQLite would not use an index by specialist.
 */
function decidedRounds(
  db: Rows<'sessions'>,
  specialistId: string,
  { machineName, lookback, specialistVersion }: AccuracyQuestion & { readonly machineName: string },
) {
  const rounds = db
    .selectFrom(`${decisionsTable.name} as decision` as const)
    .innerJoin(`${proposalsTable.name} as proposal` as const, isCounted)
    .select([
      'proposal.transition_name',
      'proposal.to_state',
      'proposal.cost_usd',
      'proposal.latency_msec',
      'decision.transition_name as decided_transition',
      'decision.to_state as decided_state',
    ])
    .where('proposal.specialist_id', '=', specialistId)
    .where('decision.machine_name', '=', machineName)
    .where('decision.has_basis', '=', 1)
    .where('decision.is_fork', '=', 0)
    .where('decision.has_subject', '=', 0)
    .orderBy('decision.number', 'desc')
    .limit(lookback);
  const ofVersion =
    specialistVersion === undefined
      ? rounds
      : rounds.where('proposal.specialist_version', '=', specialistVersion);
  return ofVersion.execute();
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, next) => total + next, 0);
}
