import type { ScoringRule } from './scoring-rules.js';

/** The rule that decisions are made by; others are for looking (docs/decisions/018). */
export const DECIDING_RULE: ScoringRule = { name: 'wilson' };
