/**
 * How often a proposer chose what a person chose, of the times it was compared with one. Whole numbers if all comparisons
 * weigh the same; weighted sums if older ones count less. `matchingChoices` is never more than `totalComparisons`.
 */
export interface AlignmentTally {
  readonly matchingChoices: number;
  readonly totalComparisons: number;
}

/** Before anything was compared. */
export const NO_COMPARISONS: AlignmentTally = { matchingChoices: 0, totalComparisons: 0 };

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

/** The plain share of matches: one match of one is full trust. 0 before anything was compared. */
export function ratio({ matchingChoices, totalComparisons }: AlignmentTally): number {
  if (!(matchingChoices > 0 && totalComparisons > 0)) return 0;
  return Math.min(1, matchingChoices / totalComparisons);
}
