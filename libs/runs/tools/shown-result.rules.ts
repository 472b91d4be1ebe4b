import type { ToolResult } from '#lib/call-rules';
import { type JsonObject, jsonText } from '#lib/kernel';
import type { ToolCallState } from './tool-call.rules.js';
import type { ToolFact } from './tool-arguments.rules.js';

/** The part of a result that the model gets: at most `maxResultChars` characters of the JSON text of its data. */
export function shownResult(result: ToolResult, { policy: { maxResultChars } }: ToolFact): ToolResult {
  if (!result.success || result.data === undefined || maxResultChars === undefined) return result;
  const text = jsonText(result.data);
  if (text.length <= maxResultChars) return result;
  const message = `truncated: the first ${maxResultChars} of ${text.length} characters`;
  return { success: true, message, data: text.slice(0, maxResultChars) };
}

/** The arguments that a person gave in place of the model's. Version 1 of the workflows does not show them to the model. */
export function changedArguments({
  version = 1,
  changed,
  arguments: given,
}: ToolCallState): JsonObject | undefined {
  return changed && version > 1 ? given : undefined;
}

/** The text of a tool message: the result, with the executed arguments if they differ from those of the assistant message. */
export function resultText(
  { success, message, ...data }: ToolResult,
  changed: JsonObject | undefined,
): string {
  if (!changed) return jsonText({ success, message, ...data });
  const told = `${message}; a person changed the arguments, and these were executed`;
  return jsonText({ success, message: told, arguments: changed, ...data });
}
