/**
 * How often a proposer chose what a person chose, of the times it was compared with one. Whole numbers where all comparisons
 * weigh the same; weighted sums where older ones count less. `matchingChoices` is never more than `totalComparisons`.
 */
export interface AlignmentTally {
  readonly matchingChoices: number;
  readonly totalComparisons: number;
}

/** Before anything was compared. */
export const NO_COMPARISONS: AlignmentTally = { matchingChoices: 0, totalComparisons: 0 };
