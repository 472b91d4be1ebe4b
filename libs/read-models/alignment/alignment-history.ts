import type { AlignmentScope } from '#lib/decisions/session';
import { runningScores, type ScoringRule } from '#lib/decisions/specialists';
import type { Rows } from '../store/rows.js';
import { comparisonsOf, keyOf, readComparisons, readVersions } from './alignment.queries.js';

/** A version of a proposer in a scope. */
interface ScoredVersion extends AlignmentScope {
  readonly specialistId: string;
  readonly specialistVersion: number;
}

/** The score of a version after its comparisons up to a position of the log; `undefined` before the first. */
type ScoreThen = (version: ScoredVersion, upTo: string) => number | undefined;

/** The scores of a machine's proposers under a rule, at any time. Holds all comparisons of the machine. */
export async function alignmentHistory(
  db: Rows<'alignment'>,
  machineName: string,
  rule: ScoringRule,
): Promise<ScoreThen> {
  const versions = await readVersions(db, { machineName });
  const own = await readComparisons(db, { machineName });
  const histories = new Map<string, History>();
  return (version, upTo) => {
    const key = keyOf(version);
    const known = histories.get(key) ?? historyOf(comparisonsOf(version, versions, own, Infinity), rule);
    histories.set(key, known);
    return known.scores[countUpTo(known.positions, upTo) - 1];
  };
}

/** Position and score of each comparison, the oldest first. */
interface History {
  readonly positions: readonly string[];
  readonly scores: readonly number[];
}

function historyOf(comparisons: ReturnType<typeof comparisonsOf>, rule: ScoringRule): History {
  const matches = comparisons.map(({ matched }) => matched);
  return { positions: comparisons.map(({ position }) => position), scores: runningScores(rule, matches) };
}

/** Of texts in ascending order, how many are not above a limit. */
function countUpTo(sorted: readonly string[], limit: string): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] ?? '') <= limit) low = middle + 1;
    else high = middle;
  }
  return low;
}
