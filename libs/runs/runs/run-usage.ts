import {
  addTokens,
  inputTokens,
  type LlmCallCompleted,
  type LlmCallRequested,
  NO_TOKENS,
  readReply,
  type TokenBuckets,
  tokenBuckets,
  usageCost,
} from '#lib/call-rules';
import type { RecordedEvent } from '#lib/kernel';
import type { RunUsage } from './run.views.js';

/** The usage that a run's stream shows. */
export function runUsage(history: readonly RecordedEvent[]): RunUsage {
  const requests = new Map<string, LlmCallRequested['data']>();
  let spent = NO_TOKENS;
  let costUSD: number | undefined;
  for (const { type, data } of history as readonly RecordedEvent<LlmCallRequested | LlmCallCompleted>[]) {
    if (type === 'LlmCallRequested') requests.set(data.stepId, data);
    if (type !== 'LlmCallCompleted') continue;
    const { usage } = readReply(data);
    const cost = usageCost(requests.get(data.stepId)?.price, usage);
    spent = addTokens(spent, tokenBuckets(usage));
    if (cost !== undefined) costUSD = (costUSD ?? 0) + cost;
  }
  return usageView(requests.size, spent, costUSD);
}

/** @param calls of models */
export function usageView(calls: number, tokens: TokenBuckets, costUSD: number | undefined): RunUsage {
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
