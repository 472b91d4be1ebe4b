import type { ActivityFailure } from '#lib/workflow';
import { excerpt, parseReplyJson, readWebhookText, type RecordedReply } from '#lib/call-rules';
import type { Json } from '#lib/kernel';
import type { ArbitrationFailure, Verdict } from '#lib/decisions/session';
import { failureKind } from './failure-kind.js';
import { readVerdict } from './read-verdict.js';

/** The result of a call. */
export type ArbiterReply =
  | { readonly kind: 'verdict'; readonly verdict: Verdict }
  | {
      readonly kind: 'failed';
      readonly failure: ArbitrationFailure;
      /** The same request may be made again, if retries are switched on. */
      readonly retryable: boolean;
      /** The wait in ms that the other side asks for; absent if it names none. */
      readonly retryAfterMs?: number;
    };

/** Reads the result of a function. */
export function readResult(result: Json): ArbiterReply {
  return verdictIn(result, 'The arbiter returned');
}

/** Reads the reply of a webhook. */
export function readReply(reply: RecordedReply, occurredAt: string): ArbiterReply {
  const { status: upstreamStatus } = reply;
  const read = readWebhookText(reply, occurredAt);
  if (read.kind === 'failed') {
    return { ...read, failure: { ...read.failure, kind: failureKind(read.failure.kind) } };
  }
  const value = parseReplyJson(read.text);
  if (value !== undefined) return verdictIn(value, 'The webhook of the arbiter answered', { upstreamStatus });
  const message = `The reply of the webhook is not JSON: ${excerpt(read.text)}`;
  return unusable(message, { upstreamStatus });
}

/** A failed call as the failure of an arbitration. */
export function unanswered({ kind, message, retryable }: ActivityFailure): ArbiterReply {
  return { kind: 'failed', failure: { kind: failureKind(kind), message }, retryable };
}

function verdictIn(said: unknown, who: string, status: { upstreamStatus?: number } = {}): ArbiterReply {
  const verdict = readVerdict(said);
  if (!('unusable' in verdict)) return { kind: 'verdict', verdict };
  return unusable(`${who} no verdict: ${verdict.unusable}`, status);
}

/** Not retried: the same question would get the same answer. */
function unusable(message: string, status: { upstreamStatus?: number }): ArbiterReply {
  return { kind: 'failed', failure: { kind: 'unusable-verdict', message, ...status }, retryable: false };
}
