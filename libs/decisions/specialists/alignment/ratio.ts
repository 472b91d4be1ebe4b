import type { AlignmentTally } from './alignment-tally.js';

/** The plain share of matches: one match of one is full trust. 0 before anything was compared. */
export function ratio({ matchingChoices, totalComparisons }: AlignmentTally): number {
  if (!(matchingChoices > 0 && totalComparisons > 0)) return 0;
  return Math.min(1, matchingChoices / totalComparisons);
}
