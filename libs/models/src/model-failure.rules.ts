import type { ActivityFailure } from '#lib/activity';
import {
  type Completion,
  type LlmCallCompleted,
  type LlmCallFailed,
  readReply,
  type ReplyFailure,
} from '#lib/calls';
import { sha256 } from '#lib/kernel';

type Headers = { readonly [name: string]: string };

/**
 * Milliseconds that a reply asks to wait: `retry-after-ms`, else `Retry-After` in seconds or as a date, counted from `occurredAt`.
 * `undefined` where neither can be read.
 */
function retryAfterMs(headers: Headers, occurredAt: string): number | undefined {
  const { 'retry-after-ms': inMs, 'retry-after': after } = headers;
  return amount(inMs, 1) ?? amount(after, 1_000) ?? untilDate(after, occurredAt);
}

function amount(text: string | undefined, unitMs: number): number | undefined {
  if (text === undefined || !/^\d{1,9}(\.\d{1,9})?$/.test(text)) return undefined;
  return Math.ceil(Number(text) * unitMs);
}

/** The form of HTTP dates: `Wed, 21 Oct 2026 07:28:00 GMT`. */
const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

function untilDate(text: string | undefined, occurredAt: string): number | undefined {
  if (text === undefined || !HTTP_DATE.test(text)) return undefined;
  const waitMs = Date.parse(text) - Date.parse(occurredAt);
  return Number.isNaN(waitMs) ? undefined : Math.max(0, waitMs);
}

/** Why a call of a model gave no completion. */
export interface ModelFailure {
  /** `budget`: the call was not made. */
  readonly kind: ReplyFailure['kind'] | 'budget' | (ActivityFailure['kind'] & {});
  readonly message: string;
  readonly upstreamStatus?: number;
}

/** The consequence of an outcome. */
export type Judgement =
  | { readonly completion: Completion }
  | {
      readonly failure: ModelFailure;
      /**
       * `again`: the same model may answer in a moment. `elsewhere`: another provider may. `lost`: it is unknown whether the call
       * was made. `no`: every call would end so.
       */
      readonly hope: 'again' | 'elsewhere' | 'lost' | 'no';
      /** How long the provider asks to wait. */
      readonly retryAfterMs?: number;
    };

/** Statuses after which the same request may succeed in a moment. */
const PASSING: readonly number[] = [429, 500, 502, 503, 529];

/** @param occurredAt of the outcome, ISO 8601 */
export function judgeReply(data: LlmCallCompleted['data'], occurredAt: string): Judgement {
  const reply = readReply(data);
  if (reply.kind === 'completion') return { completion: reply };
  const { failure } = reply;
  const { status, responseHeaders } = data;
  if (failure.kind === 'incomplete') return { failure, hope: 'elsewhere' };
  if (failure.kind !== 'http-error') return { failure, hope: 'no' };
  if (!PASSING.includes(status)) return { failure, hope: status >= 500 ? 'elsewhere' : 'no' };
  const wait = retryAfterMs(responseHeaders, occurredAt);
  return { failure, hope: 'again', ...(wait !== undefined && { retryAfterMs: wait }) };
}

/** A network failure is asked again only where no byte of a reply had come: that reply may have cost money. */
export function judgeFailure({ failure, received }: LlmCallFailed['data']): Judgement {
  const { kind, message } = failure;
  const said = { failure: { kind, message } };
  if (kind === 'interrupted') return { ...said, hope: 'lost' };
  if (kind === 'network') return { ...said, hope: received ? 'elsewhere' : 'again' };
  return { ...said, hope: kind === 'timeout' ? 'elsewhere' : 'no' };
}

const FIRST_BACKOFF_MS = 500;
const LONGEST_BACKOFF_MS = 30_000;

/**
 * The wait after the n-th failure of a model: anything up to half a second, doubled each time (full jitter). It follows from the id of the
 * call, so that replay waits as long, and calls that failed together come back apart.
 */
export function backoffMs(failures: number, callId: string): number {
  const most = Math.min(FIRST_BACKOFF_MS * 2 ** (failures - 1), LONGEST_BACKOFF_MS);
  const share = parseInt(sha256(callId).slice(0, 8), 16) / 2 ** 32;
  return Math.floor(share * most);
}
