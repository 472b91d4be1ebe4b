import { type AlignmentTally, ratio } from './alignment-tally.js';

import { wilsonLowerBound } from './wilson-bounds.js';

/** How a tally becomes a score. */
interface Scoring {
  /** Raised with every change to what it gives, and to how a half-life weighs: scores are recorded with it. */
  readonly version: number;
  /** From 0 to 1. */
  readonly score: (tally: AlignmentTally) => number;
}

/** The one place where scoring rules are listed. Each can be used with a half-life too. */
export const scoringRules = {
  wilson: { version: 1, score: wilsonLowerBound },
  ratio: { version: 1, score: ratio },
} as const satisfies { readonly [name: string]: Scoring };

/** A chosen rule. */
export interface ScoringRule {
  readonly name: keyof typeof scoringRules;
  /**
   * After how many later comparisons one counts half: a whole number from 1; absent: never. The weights add up to about
   * 1.44 half-lives, so with `wilson` a half-life below 11 keeps everybody under 0.8.
   */
  readonly halfLife?: number;
}

/** The rule by which decisions are made; other rules are for queries only (docs/decisions/018). */
export const DECIDING_RULE: ScoringRule = { name: 'wilson' };
