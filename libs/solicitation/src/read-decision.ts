import { isJsonObject, type JsonObject } from '#lib/kernel';

/** A decision as a model writes it down. */
export interface Decision {
  readonly transitionName: string;
  readonly toState: string;
  readonly reasoning: string;
  readonly metaJson?: JsonObject;
}

export interface UnreadableDecision {
  readonly unreadable: 'not-json' | 'not-a-decision';
}

/**
 * The one reader of decision JSON, for every rung: the text, trimmed, without one surrounding Markdown code fence,
 * must be a JSON object, whole, with a `transitionName` and a `toState`.
 */
export function readDecision(text: string): Decision | UnreadableDecision {
  const value = parse(withoutFence(text.trim()));
  if (value === undefined) return { unreadable: 'not-json' };
  if (!isJsonObject(value)) return { unreadable: 'not-a-decision' };
  const { transitionName, toState, reasoning = '', metaJson } = value;
  if (!isName(transitionName) || !isName(toState) || typeof reasoning !== 'string')
    return { unreadable: 'not-a-decision' };
  if (metaJson === undefined) return { transitionName, toState, reasoning };
  return isJsonObject(metaJson)
    ? { transitionName, toState, reasoning, metaJson }
    : { unreadable: 'not-a-decision' };
}

function withoutFence(text: string): string {
  const [, , content] = /^(`{3,}|~{3,})[^\n{]*\n?([\s\S]*)\1$/.exec(text) ?? [];
  return content ?? text;
}

/** `undefined` for what is not JSON; JSON itself has no such value. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
