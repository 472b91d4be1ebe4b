import { type PriceInForce, type TokenBuckets, tokenCost } from '#lib/calls';
import type { JsonObject } from '#lib/kernel';
import type { CallRung } from '#lib/solicitation';
import { textFromStored } from '../row/stored-text.js';
import { timeFromStored } from '../row/stored-time.js';
import type { RowOf } from '../store/table.js';
import type { LlmCallOutcome } from './llm-call-outcome.js';
import type { llmCallsTable } from './llm-calls.tables.js';

/** The members of a call that are read from the stream of its run. */
export type LlmCallExchange = Pick<
  LlmCallRecord,
  'requestUrl' | 'requestHeaders' | 'requestBody' | 'responseBody'
>;

/** A call to a model as rows have it. */
export type LlmCallRow = Omit<LlmCallRecord, keyof LlmCallExchange> & { readonly stepId: string };

/** One call to a model. Times are ISO 8601, UTC. */
export interface LlmCallRecord {
  readonly callId: string;
  readonly runId: string;
  readonly workflow: string;
  /** These five: absent where the run, and the runs above it, are of no solicitation. */
  readonly sessionId?: string;
  readonly solicitationId?: string;
  readonly specialistId?: string;
  readonly specialistVersion?: number;
  readonly machineName?: string;
  /** Of a solicitation. */
  readonly rung?: CallRung;
  /** Of a run that works in rounds, from 1. */
  readonly round?: number;
  readonly provider: string;
  /** Its name at the provider. */
  readonly model: string;
  /** Over all models of one question, from 1. */
  readonly attempt: number;
  /** The model that says it answered. */
  readonly resolvedModel?: string;
  readonly requestUrl: string;
  /** The headers that were sent, credentials redacted; before they are recorded, the known ones. */
  readonly requestHeaders: { readonly [name: string]: string };
  readonly requestBody: JsonObject;
  readonly responseStatus: number | null;
  /** The body as it came, after content decoding. */
  readonly responseBody: string | null;
  /** Present where the body was cut, was too large, or could not be decoded: then it is what was received, at most 1 MiB of it, before content decoding. */
  readonly responseIncomplete?: true;
  /** Present where the bytes are not UTF-8, or are still content-encoded. */
  readonly responseEncoding?: 'base64';
  readonly durationMs: number | null;
  /** Of a streamed reply: until its first part of the message. */
  readonly firstTokenMs?: number;
  readonly error: string | null;
  readonly outcome: LlmCallOutcome;
  /** In the words of the API it comes from; absent where the reply reports none. */
  readonly usage?: LlmCallUsage;
  /** Each in one bucket; 0 where the reply reports none. */
  readonly tokens: TokenBuckets;
  /** By the price in force at the request; absent where none was, or the usage is not known. */
  readonly costUSD?: number;
  readonly requestedAt: string;
  readonly completedAt?: string;
}

/** Tokens of one call. */
export interface LlmCallUsage {
  readonly prompt_tokens?: number;
  readonly completion_tokens?: number;
}

export function llmCallRow(row: RowOf<typeof llmCallsTable>): LlmCallRow {
  const usage = usageOf(row);
  const costUSD = costOf(row);
  return {
    stepId: row.step_id,
    callId: row.call_id,
    runId: row.run_id,
    workflow: row.workflow,
    ...(row.session_id !== null && { sessionId: row.session_id }),
    ...(row.solicitation_id !== null && { solicitationId: row.solicitation_id }),
    ...(row.specialist_id !== null && { specialistId: row.specialist_id }),
    ...(row.specialist_version !== null && { specialistVersion: row.specialist_version }),
    ...(row.machine_name !== null && { machineName: row.machine_name }),
    ...(row.rung !== null && { rung: row.rung as CallRung }),
    ...(row.round !== null && { round: row.round }),
    provider: row.provider,
    model: textFromStored(row.model),
    attempt: row.attempt,
    ...(row.resolved_model !== null && { resolvedModel: textFromStored(row.resolved_model) }),
    responseStatus: row.response_status,
    ...(row.response_incomplete === 1 && { responseIncomplete: true as const }),
    ...(row.response_encoding !== null && { responseEncoding: 'base64' as const }),
    durationMs: row.duration_ms,
    ...(row.first_token_ms !== null && { firstTokenMs: row.first_token_ms }),
    error: row.error === null ? null : textFromStored(row.error),
    outcome: row.outcome as LlmCallOutcome,
    ...(usage && { usage }),
    tokens: bucketsOf(row),
    ...(costUSD !== undefined && { costUSD }),
    requestedAt: timeFromStored(row.requested_at),
    ...(row.completed_at !== null && { completedAt: timeFromStored(row.completed_at) }),
  };
}

function costOf(row: RowOf<typeof llmCallsTable>): number | undefined {
  const { price, prompt_tokens, completion_tokens } = row;
  if (price === null || prompt_tokens === null || completion_tokens === null) return undefined;
  return tokenCost(JSON.parse(price) as PriceInForce, bucketsOf(row));
}

type TokenColumns = Pick<
  RowOf<typeof llmCallsTable>,
  'prompt_tokens' | 'completion_tokens' | 'cache_read_tokens' | 'cache_write_tokens' | 'reasoning_tokens'
>;

/** Of a call, or of the sums over calls. */
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

function usageOf({
  prompt_tokens,
  completion_tokens,
}: RowOf<typeof llmCallsTable>): LlmCallUsage | undefined {
  if (prompt_tokens === null && completion_tokens === null) return undefined;
  return {
    ...(prompt_tokens !== null && { prompt_tokens }),
    ...(completion_tokens !== null && { completion_tokens }),
  };
}
