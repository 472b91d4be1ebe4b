import { type Completion, parseReplyObject, type ReplyFailure } from '#lib/calls';
import { readDecision } from './read-decision.js';

/**
 * Why nothing of a reply can be used, where the model refused or was stopped. A whole choice counts all the same, and prose goes
 * down the ladder like any other. Another call would cost as much and end the same way.
 */
export function uselessReply({ content, toolCall, stopped }: Completion): ReplyFailure | undefined {
  if (!toolCall) return uselessText(content, stopped);
  return parseReplyObject(toolCall.argumentsText) ? undefined : stopped;
}

/** The same of the text of a reply alone. */
export function uselessText(content: string, stopped: Completion['stopped']): ReplyFailure | undefined {
  if (!stopped || !('unreadable' in readDecision(content))) return undefined;
  return stopped.kind === 'refusal' || isCutOff(content) ? stopped : undefined;
}

/** Nothing came, or the beginning of a decision. */
function isCutOff(content: string): boolean {
  return /^(?:$|(?:(?:```|~~~)[^\n{]*\n?)?\{)/.test(content.trim());
}
