import type { AlignmentScope } from '#lib/decisions/session';
import { runningScores, type ScoringRule } from '#lib/decisions/specialists';
import type { Rows } from '../store/rows.js';
import { comparisonsOf, keyOf, readComparisons, readVersions } from './alignment.queries.js';

/** A version of a proposer in a scope. */
interface ScoredVersion extends AlignmentScope {
  readonly specialistId: string;
  readonly specialistVersion: number;
}

/** The score of a version at a position of the log; `undefined` before its first comparison. */
type ScoreThen = (version: ScoredVersion, upTo: string) => number | undefined;

/** The scores of a machine's proposers under a rule, at any time. Memory holds all comparisons of the machine. */
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

/** The position and the score of each comparison, oldest first. */
interface History {
  readonly positions: readonly string[];
  readonly scores: readonly number[];
}

function historyOf(comparisons: ReturnType<typeof comparisonsOf>, rule: ScoringRule): History {
  const matches = comparisons.map(({ matched }) => matched);
  return { positions: comparisons.map(({ position }) => position), scores: runningScores(rule, matches) };
}

/** The number of texts up to a limit, in a list in ascending order. */
function countUpTo(sorted: readonly string[], limit: string): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] ?? '') <= limit) low = middle + 1;
    else high = middle;
  }
  return low;
}
