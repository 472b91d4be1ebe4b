import { type AlignmentTally, ratio } from './alignment-tally.js';

/** The quantile of the normal distribution with 95 % in the middle. */
const Z = 1.96;
const Z_SQUARED = Z * Z;

/**
 * The lower bound of the Wilson score interval: a cautious estimate of how often the proposer agrees, given the number of comparisons.
 * From 0 to 1; 0 of n is exactly 0, n of n first reaches 0.8 with 16.
 *
 * Computed as p² / (middle + spread), the product of both bounds over the upper one: the usual middle - spread loses all
 * digits where p is near 0, and can fall below 0.
 */
export function wilsonLowerBound(tally: AlignmentTally): number {
  const p = ratio(tally);
  if (p === 0) return 0;
  const n = tally.totalComparisons;
  const middle = p + Z_SQUARED / (2 * n);
  const spread = Z * Math.sqrt((p * (1 - p)) / n + Z_SQUARED / (4 * n * n));
  return (p * p) / (middle + spread);
}

/** The upper bound: 1 minus the lower bound of the misses. n of n is exactly 1, and so is 0 of 0. */
export function wilsonUpperBound({ matchingChoices, totalComparisons }: AlignmentTally): number {
  return 1 - wilsonLowerBound({ matchingChoices: totalComparisons - matchingChoices, totalComparisons });
}

/**
 * The number of comparisons that bring the upper bound down to `most` at this share of matches: n = z² · most · (1 - most) /
 * (most - share)². `undefined` if the share is not below `most`: then no number does.
 */
export function comparisonsFor(share: number, most: number): number | undefined {
  return share < most ? Math.ceil((Z_SQUARED * most * (1 - most)) / (most - share) ** 2) : undefined;
}

/** The computation of a score from a tally. */
interface Scoring {
  /** Raised with every change of its scores, and of the weights of half-lives: scores are recorded with it. */
  readonly version: number;
  /** From 0 to 1. */
  readonly score: (tally: AlignmentTally) => number;
}

/** All scoring rules. Each can be used with a half-life too. */
export const scoringRules = {
  wilson: { version: 1, score: wilsonLowerBound },
  ratio: { version: 1, score: ratio },
} as const satisfies { readonly [name: string]: Scoring };

/** A chosen rule. */
export interface ScoringRule {
  readonly name: keyof typeof scoringRules;
  /**
   * The number of later comparisons after which one counts half: a whole number from 1; absent: never. The weights add up to
   * about 1.44 half-lives, so with `wilson` a half-life below 11 keeps every score under 0.8.
   */
  readonly halfLife?: number;
}

/** The rule of decisions; other rules are for queries only (docs/decisions/018). */
export const DECIDING_RULE: ScoringRule = { name: 'wilson' };
