import { type AlignmentTally, ratio } from './alignment-tally.js';

import { wilsonLowerBound } from './wilson-bounds.js';

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
