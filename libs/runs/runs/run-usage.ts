import {
  addTokens,
  type LlmCallCompleted,
  type LlmCallRequested,
  NO_TOKENS,
  readReply,
  tokenBuckets,
  usageCost,
  type UsageTotals,
  usageTotals,
} from '#lib/call-rules';
import { ownEvents } from '#lib/event-store';
import type { RecordedEvent } from '#lib/kernel';

/** The usage in a run's stream; for a fork its own, without that of the run that was forked. */
export function runUsage(history: readonly RecordedEvent[]): UsageTotals {
  const requests = new Map<string, LlmCallRequested['data']>();
  let spent = NO_TOKENS;
  let costUSD: number | undefined;
  const own = ownEvents(history);
  for (const { type, data } of own as readonly RecordedEvent<LlmCallRequested | LlmCallCompleted>[]) {
    if (type === 'LlmCallRequested') requests.set(data.stepId, data);
    if (type !== 'LlmCallCompleted') continue;
    const { usage } = readReply(data);
    const cost = usageCost(requests.get(data.stepId)?.price, usage);
    spent = addTokens(spent, tokenBuckets(usage));
    if (cost !== undefined) costUSD = (costUSD ?? 0) + cost;
  }
  return usageTotals(requests.size, spent, costUSD);
}
