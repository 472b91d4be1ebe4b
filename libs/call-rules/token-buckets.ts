import type { Usage } from './usage.js';

/** The tokens of calls. Each token is in one bucket; the first three are the input. `reasoning` is a part of `output`. */
export type TokenBuckets = {
  readonly inputUncached: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly output: number;
  readonly reasoning: number;
};

/** Missing members count as zero. A part is limited to its whole. */
export function tokenBuckets(usage: Usage = {}): TokenBuckets {
  const { promptTokens: input = 0, completionTokens: output = 0 } = usage;
  const cacheRead = Math.min(usage.cachedTokens ?? 0, input);
  const cacheWrite = Math.min(usage.cacheWriteTokens ?? 0, input - cacheRead);
  const inputUncached = input - cacheRead - cacheWrite;
  return {
    inputUncached,
    cacheRead,
    cacheWrite,
    output,
    reasoning: Math.min(usage.reasoningTokens ?? 0, output),
  };
}

/** The counts of a call that used no tokens. */
export const NO_TOKENS: TokenBuckets = tokenBuckets();

/** The sum of two counts of tokens, by kind. */
export function addTokens(one: TokenBuckets, other: TokenBuckets): TokenBuckets {
  return {
    inputUncached: one.inputUncached + other.inputUncached,
    cacheRead: one.cacheRead + other.cacheRead,
    cacheWrite: one.cacheWrite + other.cacheWrite,
    output: one.output + other.output,
    reasoning: one.reasoning + other.reasoning,
  };
}

/** All tokens that were sent, with cached ones. */
export function inputTokens({ inputUncached, cacheRead, cacheWrite }: TokenBuckets): number {
  return inputUncached + cacheRead + cacheWrite;
}
