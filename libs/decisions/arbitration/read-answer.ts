import type { ActivityFailure } from '#lib/workflow';
import { excerpt, parseReplyJson, readWebhookText, type RecordedReply } from '#lib/call-rules';
import { isJsonObject, type Json, type JsonObject } from '#lib/kernel';
import {
  type ArbitrationFailure,
  type Spending,
  spendingMembers,
  spendingOf,
  type Verdict,
} from '#lib/decisions/session';

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

/**
 * Reads an arbiter's answer member by member, because functions and webhooks may answer anything. Unknown members are left out,
 * as are a winner without consensus and a cost that is not an amount. An answer that is not a verdict gives the reason.
 */
export function readVerdict(said: unknown): Verdict | { readonly unusable: string } {
  if (!isJsonObject(said)) return { unusable: 'it is no object' };
  const { consensusReached, winningProposalId, reasoning = '', margin } = said;
  const spent = spendingOf(amountsIn(said));
  if (typeof consensusReached !== 'boolean')
    return { unusable: 'consensusReached is neither true nor false' };
  if (typeof reasoning !== 'string') return { unusable: 'reasoning is no text' };
  // JSON has numbers that no event can hold, such as 1e999.
  if (margin !== undefined && !(typeof margin === 'number' && Number.isFinite(margin)))
    return { unusable: 'margin is no finite number' };
  const measured = margin !== undefined && { margin };
  if (!consensusReached) return { consensusReached, reasoning, ...measured, ...spent };
  if (typeof winningProposalId !== 'string' || winningProposalId === '')
    return { unusable: 'missing winner: consensusReached is true, and winningProposalId names nothing' };
  return { consensusReached, winningProposalId, reasoning, ...measured, ...spent };
}

function amountsIn(said: JsonObject): Spending {
  return Object.fromEntries(Object.entries(said).filter(([, value]) => spendingMembers.costUSD.fits(value)));
}

const KINDS: readonly ArbitrationFailure['kind'][] = [
  'network',
  'timeout',
  'interrupted',
  'http-error',
  'unusable-verdict',
  'function',
];

/** The kind of an arbitration's failure, from that of a failed call or run. A kind that sessions do not have becomes `interrupted`. */
export function failureKind(kind: string): ArbitrationFailure['kind'] {
  if (kind === 'unusable' || kind === 'unusable-reply' || kind === 'too-large') return 'unusable-verdict';
  return KINDS.find((one) => one === kind) ?? 'interrupted';
}
