import type { ActivityFailure } from '#lib/activity';
import {
  type Completion,
  type LlmCallCompleted,
  type LlmCallFailed,
  readReply,
  type ReplyFailure,
  waitAskedBy,
} from '#lib/calls';
import { sha256 } from '#lib/kernel';

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
  return { failure, hope: 'again', ...waitAskedBy(responseHeaders, occurredAt) };
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
