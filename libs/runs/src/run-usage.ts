import {
  type LlmCallCompleted,
  type LlmCallRequested,
  parseReplyObject,
  readReply,
  usageCost,
} from '#lib/calls';
import { isJsonObject, type Json, type RecordedEvent } from '#lib/kernel';
import type { RunUsage } from './run.views.js';

const NONE: RunUsage = { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0, reasoningTokens: 0 };

/** Tokens as the providers report them: cached ones are within the input, reasoning is within the output. */
export function runUsage(history: readonly RecordedEvent[]): RunUsage {
  const requests = new Map<string, LlmCallRequested['data']>();
  let usage = NONE;
  for (const { type, data } of history as readonly RecordedEvent<LlmCallRequested | LlmCallCompleted>[]) {
    if (type === 'LlmCallRequested') requests.set(data.stepId, data);
    if (type === 'LlmCallCompleted') usage = sum(usage, usageOf(data, requests.get(data.stepId)));
  }
  return usage;
}

function usageOf(reply: LlmCallCompleted['data'], request: LlmCallRequested['data'] | undefined): RunUsage {
  const { usage } = readReply(reply);
  const raw = reply.body.encoding === 'utf8' ? parseReplyObject(reply.body.content)?.['usage'] : undefined;
  const costUSD = usageCost(request?.price, usage);
  return {
    inputTokens: usage?.promptTokens ?? 0,
    cachedInputTokens: detail(raw, 'prompt_tokens_details', 'cached_tokens'),
    outputTokens: usage?.completionTokens ?? 0,
    reasoningTokens: detail(raw, 'completion_tokens_details', 'reasoning_tokens'),
    ...(costUSD !== undefined && { costUSD }),
  };
}

function detail(usage: Json | undefined, group: string, name: string): number {
  const details = isJsonObject(usage) ? usage[group] : undefined;
  const count = isJsonObject(details) ? details[name] : undefined;
  return typeof count === 'number' && Number.isInteger(count) && count >= 0 && count <= 1e9 ? count : 0;
}

function sum(one: RunUsage, other: RunUsage): RunUsage {
  const costs = [one.costUSD, other.costUSD].filter((cost) => cost !== undefined);
  return {
    inputTokens: one.inputTokens + other.inputTokens,
    cachedInputTokens: one.cachedInputTokens + other.cachedInputTokens,
    outputTokens: one.outputTokens + other.outputTokens,
    reasoningTokens: one.reasoningTokens + other.reasoningTokens,
    ...(costs.length > 0 && { costUSD: costs.reduce((total, cost) => total + cost, 0) }),
  };
}
