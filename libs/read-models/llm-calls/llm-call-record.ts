import { type PriceInForce, type TokenBuckets, tokenCost, type ApiUsage } from '#lib/call-rules';
import type { JsonObject } from '#lib/kernel';
import { recordOf, type RecordOf, type RowOf } from '../store/table.js';
import { llmCallsTable } from './llm-calls.tables.js';

/** A call to a model as stored in its row. Times are ISO 8601, UTC. */
export type LlmCallRow = RecordOf<typeof llmCallsTable> & {
  /** In the members of the provider's API; absent if the reply reports none. */
  readonly usage?: ApiUsage;
  /** Each token in one bucket; 0 if the reply reports none. */
  readonly tokens: TokenBuckets;
  /** By the price in force at the request; absent without a price or a known usage. */
  readonly costUSD?: number;
};

/** The request and the reply of a call, read from the stream of the call's run. */
export interface LlmCallExchange {
  readonly requestUrl: string;
  /** The sent headers with credentials redacted; the known ones until they are recorded. */
  readonly requestHeaders: { readonly [name: string]: string };
  readonly requestBody: JsonObject;
  /** The received body, after content decoding. */
  readonly responseBody: string | null;
}

/** One call to a model. */
export type LlmCallRecord = Omit<LlmCallRow, 'stepId'> & LlmCallExchange;

/** A call for the doors. */
export function withoutStep({ stepId: _, ...call }: LlmCallRow): Omit<LlmCallRow, 'stepId'> {
  return call;
}

type Row = RowOf<typeof llmCallsTable>;

export function llmCallRow(row: Row): LlmCallRow {
  const usage = usageOf(row);
  const costUSD = costOf(row);
  return {
    ...recordOf(llmCallsTable, row),
    ...(usage && { usage }),
    tokens: bucketsOf(row),
    ...(costUSD !== undefined && { costUSD }),
  };
}

function costOf(row: Row): number | undefined {
  const { price, prompt_tokens, completion_tokens } = row;
  if (price === null || prompt_tokens === null || completion_tokens === null) return undefined;
  return tokenCost(JSON.parse(price) as PriceInForce, bucketsOf(row));
}

type TokenColumns = Pick<
  Row,
  'prompt_tokens' | 'completion_tokens' | 'cache_read_tokens' | 'cache_write_tokens' | 'reasoning_tokens'
>;

/** The tokens of a call, or of the sums over calls. */
export function bucketsOf(row: TokenColumns): TokenBuckets {
  const { prompt_tokens, cache_read_tokens: cacheRead, cache_write_tokens: cacheWrite } = row;
  return {
    inputUncached: (prompt_tokens ?? 0) - cacheRead - cacheWrite,
    cacheRead,
    cacheWrite,
    output: row.completion_tokens ?? 0,
    reasoning: row.reasoning_tokens,
  };
}

function usageOf({ prompt_tokens, completion_tokens }: Row): ApiUsage | undefined {
  if (prompt_tokens === null && completion_tokens === null) return undefined;
  return {
    ...(prompt_tokens !== null && { prompt_tokens }),
    ...(completion_tokens !== null && { completion_tokens }),
  };
}
