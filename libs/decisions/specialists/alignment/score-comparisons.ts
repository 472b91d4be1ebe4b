import { addComparison, NO_COMPARISONS } from './alignment-tally.js';
import { type ScoringRule, scoringRules } from './scoring-rules.js';

/**
 * The score, from 0 to 1, of these comparisons under a rule; 0 without any.
 * @param comparisons oldest first; `true`: the proposer's choice equals the person's
 */
export function scoreComparisons({ name, halfLife }: ScoringRule, comparisons: readonly boolean[]): number {
  const tally = comparisons.reduce(
    (tally, isMatch) => addComparison(tally, isMatch, halfLife),
    NO_COMPARISONS,
  );
  return scoringRules[name].score(tally);
}

/** The score after each of these comparisons. */
export function runningScores(
  { name, halfLife }: ScoringRule,
  comparisons: readonly boolean[],
): readonly number[] {
  let tally = NO_COMPARISONS;
  return comparisons.map((isMatch) => {
    tally = addComparison(tally, isMatch, halfLife);
    return scoringRules[name].score(tally);
  });
}
