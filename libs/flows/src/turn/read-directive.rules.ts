import { checkShape } from '#lib/json-schema';
import { isJsonObject, type Json } from '#lib/kernel';
import type { Directive } from '../agent/directive-definition.js';
import { directiveSchema } from '../agent/agent-schema.js';

/** A directive that a function or a tool answers; nothing is an empty one. What has another shape is refused, with the reason. */
export function readDirective(
  value: Json | undefined,
): { readonly directive: Directive } | { readonly refused: string } {
  if (value === undefined || value === null) return { directive: {} };
  if (!isJsonObject(value)) return { refused: 'it is no object' };
  const [error] = checkShape(directiveSchema, value).errors;
  return error ? { refused: `${error.path || '/'} breaks the rule ${error.keyword}` } : { directive: value };
}
