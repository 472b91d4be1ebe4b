import {
  addUsage,
  type LlmCallCompleted,
  type LlmCallRequested,
  readReply,
  type Usage,
  usageCost,
} from '#lib/calls';
import type { RecordedEvent } from '#lib/kernel';
import type { RunUsage } from './run.views.js';

/** The usage that a run's stream shows. */
export function runUsage(history: readonly RecordedEvent[]): RunUsage {
  const requests = new Map<string, LlmCallRequested['data']>();
  let spent: Usage = {};
  let costUSD: number | undefined;
  for (const { type, data } of history as readonly RecordedEvent<LlmCallRequested | LlmCallCompleted>[]) {
    if (type === 'LlmCallRequested') requests.set(data.stepId, data);
    if (type !== 'LlmCallCompleted') continue;
    const { usage } = readReply(data);
    const cost = usageCost(requests.get(data.stepId)?.price, usage);
    spent = addUsage(spent, usage);
    if (cost !== undefined) costUSD = (costUSD ?? 0) + cost;
  }
  return usageView(requests.size, spent, costUSD);
}

/** @param calls of models */
export function usageView(calls: number, usage: Usage, costUSD: number | undefined): RunUsage {
  const { promptTokens = 0, cachedTokens = 0, completionTokens = 0, reasoningTokens = 0 } = usage;
  return {
    calls,
    inputTokens: promptTokens,
    cachedInputTokens: cachedTokens,
    outputTokens: completionTokens,
    reasoningTokens,
    ...(costUSD !== undefined && { costUSD }),
  };
}
