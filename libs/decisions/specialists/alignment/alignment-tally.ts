/**
 * The choices of a proposer equal to people's decisions, of all its comparisons. Whole numbers if all comparisons weigh the same;
 * weighted sums if older ones count less. `matchingChoices` is never more than `totalComparisons`.
 */
export interface AlignmentTally {
  readonly matchingChoices: number;
  readonly totalComparisons: number;
}

/** The tally before the first comparison. */
export const NO_COMPARISONS: AlignmentTally = { matchingChoices: 0, totalComparisons: 0 };

/**
 * The tally after one more comparison, which weighs 1. All earlier ones lose weight: half of it after `halfLife` comparisons. So
 * the sums can be updated with each comparison, in the order of people's decisions.
 * @param halfLife counted in comparisons, above 0; infinite: no loss of weight
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

/** The plain share of matches: one match of one is full trust. 0 without comparisons. */
export function ratio({ matchingChoices, totalComparisons }: AlignmentTally): number {
  if (!(matchingChoices > 0 && totalComparisons > 0)) return 0;
  return Math.min(1, matchingChoices / totalComparisons);
}
