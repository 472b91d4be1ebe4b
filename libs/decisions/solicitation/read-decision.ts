import { isJsonObject, type JsonObject, unstorableValue } from '#lib/kernel';
import { type Completion, parseReplyJson, parseReplyObject, type ReplyFailure } from '#lib/call-rules';

/** A decision in the text of a model. */
export interface Decision {
  readonly transitionName: string;
  readonly toState: string;
  readonly reasoning: string;
  readonly metaJson?: JsonObject;
}

/** The reason why a reply has no decision. */
export interface UnreadableDecision {
  readonly unreadable: 'not-json' | 'not-a-decision';
}

/**
 * Reads decision JSON for every rung: the trimmed text, without one surrounding Markdown code fence, must be a whole JSON object
 * with a `transitionName` and a `toState`. Other members that are null count as absent.
 */
export function readDecision(text: string): Decision | UnreadableDecision {
  const value = parseReplyJson(withoutFence(text.trim()));
  if (value === undefined || unstorableValue(value) !== undefined) return { unreadable: 'not-json' };
  if (!isJsonObject(value)) return { unreadable: 'not-a-decision' };
  const { transitionName, toState } = value;
  const reasoning = value['reasoning'] ?? '';
  const metaJson = value['metaJson'] ?? undefined;
  if (!isName(transitionName) || !isName(toState) || typeof reasoning !== 'string')
    return { unreadable: 'not-a-decision' };
  if (metaJson === undefined) return { transitionName, toState, reasoning };
  return isJsonObject(metaJson)
    ? { transitionName, toState, reasoning, metaJson }
    : { unreadable: 'not-a-decision' };
}

/** Takes time linear in the text: a model that repeats one character without end must not hold up the process. */
function withoutFence(text: string): string {
  const [fence] = /^(?:`{3,}|~{3,})/.exec(text) ?? [];
  if (fence === undefined || text.length < 2 * fence.length || !text.endsWith(fence)) return text;
  return text.slice(fence.length, -fence.length).replace(/^[^\n{]*/, '');
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

/**
 * The failure of a reply that cannot be used because the model refused or was stopped. A whole choice still counts, and prose
 * continues on the ladder. Another call would cost as much and end the same way.
 */
export function uselessReply({ content, toolCall, stopped }: Completion): ReplyFailure | undefined {
  if (!toolCall) return uselessText(content, stopped);
  return parseReplyObject(toolCall.argumentsText) ? undefined : stopped;
}

/** As `uselessReply`, for the text of a reply alone. */
export function uselessText(content: string, stopped: Completion['stopped']): ReplyFailure | undefined {
  if (!stopped || !('unreadable' in readDecision(content))) return undefined;
  return stopped.kind === 'refusal' || isCutOff(content) ? stopped : undefined;
}

/** Whether the text is empty or the beginning of a decision. */
function isCutOff(content: string): boolean {
  return /^(?:$|(?:(?:```|~~~)[^\n{]*\n?)?\{)/.test(content.trim());
}
