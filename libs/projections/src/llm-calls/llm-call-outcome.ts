import type { Reply } from '#lib/calls';
import { type CallRung, readDecision } from '#lib/solicitation';

/**
 * The outcome of a call: `toolCall` a tool was called, known or not; `decision` decision JSON was read, on either rung;
 * `noToolCall` text without a decision where a tool was asked for; `unreadable` the same where text was; `failed` network,
 * HTTP error, or a body that is no completion; `pending` nothing is known yet.
 */
export type LlmCallOutcome = 'toolCall' | 'decision' | 'noToolCall' | 'unreadable' | 'failed' | 'pending';

/** The outcome of a call that was answered, on a rung of a solicitation or of another run. On the text rungs no tools are offered, so only the text counts there. */
export function llmCallOutcome(rung: CallRung | undefined, reply: Reply): LlmCallOutcome {
  if (reply.kind === 'failed') return 'failed';
  const isText = rung === 'text' || rung === 'structured';
  if (!isText && reply.toolCall) return 'toolCall';
  if (rung === undefined) return 'noToolCall';
  const decided = !('unreadable' in readDecision(reply.content));
  if (decided) return 'decision';
  return isText ? 'unreadable' : 'noToolCall';
}
