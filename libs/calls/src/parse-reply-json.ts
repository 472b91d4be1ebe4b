import { isDeeperThan, isJsonObject, type JsonObject } from '#lib/kernel';

/** The deepest nesting that is taken from a model: writing a deeper value into an event could overflow the stack. */
const MOST_LEVELS = 100;

/**
 * Parses a model's text as JSON, without a byte order mark before it; `undefined` for text that is not JSON (JSON itself has no such value), or
 * is nested without end.
 */
export function parseReplyJson(text: string): unknown {
  // The text beside a tool call: making an error takes longer than reading the rest of the reply.
  if (text === '') return undefined;
  try {
    const value: unknown = JSON.parse(withoutByteOrderMark(text));
    return isDeeperThan(value, MOST_LEVELS) ? undefined : value;
  } catch {
    return undefined;
  }
}

/** Like `parseReplyJson`, for a text that must be an object. */
export function parseReplyObject(text: string): JsonObject | undefined {
  const value = parseReplyJson(text);
  return isJsonObject(value) ? value : undefined;
}

/** A byte order mark is not part of the text. */
export function withoutByteOrderMark(text: string): string {
  return text.startsWith('\u{FEFF}') ? text.slice(1) : text;
}
