import type { AlignmentTally } from './alignment-tally.js';

/**
 * The tally after one comparison more, which weighs 1. Everything before it loses a little weight: half of it after `halfLife`
 * comparisons. So the sums can be kept running, comparison by comparison, in the order in which people decided.
 * @param halfLife counted in comparisons, above 0; infinite: nothing loses weight
 */
export function addComparison(
  { matchingChoices, totalComparisons }: AlignmentTally,
  isMatch: boolean,
  halfLife = Infinity,
): AlignmentTally {
  const kept = 2 ** (-1 / halfLife);
  return {
    matchingChoices: matchingChoices * kept + (isMatch ? 1 : 0),
    totalComparisons: totalComparisons * kept + 1,
  };
}
