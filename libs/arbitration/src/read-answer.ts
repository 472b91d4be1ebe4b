import type { ArbitrationFailure } from '#lib/session';
import { excerpt, parseReplyJson, readWebhookText, type RecordedReply, type RefusedReply } from '#lib/calls';
import type { ActivityFailure } from '#lib/legacy-workflow';
import type { ArbiterAnswer } from './arbitration.events.js';
import type { ArbiterReply } from './arbitration.state.js';
import { readVerdict } from './read-verdict.js';

/** Reads what is stored of an arbiter's answer. */
export function readAnswer(answer: ArbiterAnswer): ArbiterReply {
  return 'result' in answer ? judged(answer.result, 'The arbiter returned') : readReply(answer);
}

/** A call that came to nothing, as an arbitration says it. */
export function unanswered({ kind, message, retryable }: ActivityFailure): ArbiterReply {
  return { kind: 'failed', failure: { kind: kindOf(kind), message }, retryable };
}

function readReply(reply: RecordedReply): ArbiterReply {
  const { status: upstreamStatus } = reply;
  const read = readWebhookText(reply);
  if (read.kind === 'failed') return refused(read);
  const value = parseReplyJson(read.text);
  if (value !== undefined) return judged(value, 'The webhook of the arbiter answered', { upstreamStatus });
  const message = `The reply of the webhook is not JSON: ${excerpt(read.text)}`;
  return unusable(message, { upstreamStatus });
}

function refused({ failure, ...reply }: RefusedReply): ArbiterReply {
  return { ...reply, failure: { ...failure, kind: kindOf(failure.kind) } };
}

function judged(said: unknown, who: string, status: { upstreamStatus?: number } = {}): ArbiterReply {
  const verdict = readVerdict(said);
  if (!('unusable' in verdict)) return { kind: 'verdict', verdict };
  return unusable(`${who} no verdict: ${verdict.unusable}`, status);
}

/** The same question would bring the same answer. */
function unusable(message: string, status: { upstreamStatus?: number }): ArbiterReply {
  return { kind: 'failed', failure: { kind: 'unusable-verdict', message, ...status }, retryable: false };
}

function kindOf(kind: ActivityFailure['kind'] | RefusedReply['failure']['kind']): ArbitrationFailure['kind'] {
  return kind === 'unusable' || kind === 'unusable-reply' ? 'unusable-verdict' : kind;
}
