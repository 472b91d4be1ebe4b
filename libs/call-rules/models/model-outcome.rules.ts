import type { ActivityFailure } from '#lib/workflow';
import type { Completion, Reply, ReplyFailure } from '../read-reply.js';
import type { LlmCallCompleted, LlmCallFailed } from '../llm/llm-call.events.js';
import { waitAskedBy } from '../retries.js';

/** If a provider asks for a longer wait, a backup model is asked instead. */
export const LONGEST_WAIT_MS = 60_000;

/** The reason why a call of a model gave no completion. */
export interface ModelFailure {
  /** `budget`: the call was not made. */
  readonly kind: ReplyFailure['kind'] | 'budget' | (ActivityFailure['kind'] & {});
  readonly message: string;
  readonly upstreamStatus?: number;
}

/** An outcome, and whether another call may succeed. */
type ClassifiedOutcome = { readonly completion: Completion } | NotAnswered;

export interface NotAnswered {
  readonly failure: ModelFailure;
  /**
   * `same-model`: it may answer a moment later. `backup`: another provider may answer. `unknown`: the call may or may not have been made. `never`:
   * every call would fail in the same way.
   */
  readonly retry: 'same-model' | 'backup' | 'unknown' | 'never';
  /** The wait that the provider asks for. */
  readonly retryAfterMs?: number;
}

/** Statuses after which the same request may succeed a moment later. */
const PASSING: readonly number[] = [429, 500, 502, 503, 529];

/** @param occurredAt of the outcome, ISO 8601 */
export function classifyReply(
  { status, responseHeaders }: LlmCallCompleted['data'],
  reply: Reply,
  occurredAt: string,
): ClassifiedOutcome {
  if (reply.kind === 'completion') return { completion: reply };
  const { failure } = reply;
  if (failure.kind === 'incomplete') return { failure, retry: 'backup' };
  if (failure.kind !== 'http-error') return { failure, retry: 'never' };
  if (!PASSING.includes(status)) return { failure, retry: status >= 500 ? 'backup' : 'never' };
  return { failure, retry: 'same-model', ...waitAskedBy(responseHeaders, occurredAt) };
}

/** After a network failure the model is asked again only if no byte of a reply had come, because that reply may have cost money. */
export function classifyFailure({ failure, received }: LlmCallFailed['data']): NotAnswered {
  const { kind, message } = failure;
  const said = { failure: { kind, message } };
  if (kind === 'interrupted') return { ...said, retry: 'unknown' };
  if (kind === 'network') return { ...said, retry: received ? 'backup' : 'same-model' };
  return { ...said, retry: kind === 'timeout' ? 'backup' : 'never' };
}
