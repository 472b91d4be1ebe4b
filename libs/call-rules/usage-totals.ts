import { inputTokens, type TokenBuckets } from './token-buckets.js';

/**
 * The calls to models of a run, a turn or a conversation, for readers. The numbers are those of the providers: cached tokens are part of the input,
 * reasoning is part of the output.
 */
export type UsageTotals = {
  readonly calls: number;
  readonly inputTokens: number;
  readonly cachedInputTokens: number;
  readonly outputTokens: number;
  readonly reasoningTokens: number;
  /** Absent if no price was known. */
  readonly costUSD?: number;
};

/** The totals before the first call. */
export const NO_USAGE: UsageTotals = {
  calls: 0,
  inputTokens: 0,
  cachedInputTokens: 0,
  outputTokens: 0,
  reasoningTokens: 0,
};

/** @param calls to models */
export function usageTotals(calls: number, tokens: TokenBuckets, costUSD: number | undefined): UsageTotals {
  const { cacheRead: cachedInputTokens, output: outputTokens, reasoning: reasoningTokens } = tokens;
  return {
    calls,
    inputTokens: inputTokens(tokens),
    cachedInputTokens,
    outputTokens,
    reasoningTokens,
    ...(costUSD !== undefined && { costUSD }),
  };
}

/** The sum of two totals. Its cost is absent if neither has a cost. */
export function addUsageTotals(one: UsageTotals, other: UsageTotals = NO_USAGE): UsageTotals {
  const { costUSD } = other;
  return {
    calls: one.calls + other.calls,
    inputTokens: one.inputTokens + other.inputTokens,
    cachedInputTokens: one.cachedInputTokens + other.cachedInputTokens,
    outputTokens: one.outputTokens + other.outputTokens,
    reasoningTokens: one.reasoningTokens + other.reasoningTokens,
    ...((one.costUSD ?? costUSD) !== undefined && { costUSD: (one.costUSD ?? 0) + (costUSD ?? 0) }),
  };
}
