import { isJsonObject, type JsonObject, unstorableValue } from '#lib/kernel';
import { parseReplyJson } from '#lib/calls';

/** A decision as a model writes it down. */
export interface Decision {
  readonly transitionName: string;
  readonly toState: string;
  readonly reasoning: string;
  readonly metaJson?: JsonObject;
}

/** A reply without a decision, and why it has none. */
export interface UnreadableDecision {
  readonly unreadable: 'not-json' | 'not-a-decision';
}

/**
 * The one reader of decision JSON, for every rung: the text, trimmed, without one surrounding Markdown code fence,
 * must be a JSON object, whole, with a `transitionName` and a `toState`. Other members that are null count as absent.
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
