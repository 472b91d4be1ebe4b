import type { ToolResult } from '#lib/call-rules';
import type { Json } from '#lib/kernel';
import { plainJson } from '../functions/plain-json.js';

/** The result of a tool that succeeded; without data, it gave nothing. */
export function toolSuccess(data?: Json): ToolResult {
  return { success: true, message: 'ok', ...(data !== undefined && { data }) };
}

/** The result of a tool, from the answer of a function. @throws NotJson */
export function toolResultOf(value: unknown): ToolResult {
  return value === undefined ? toolSuccess() : toolSuccess(plainJson(value));
}
