import { checkValue, isResource } from '#lib/json-schema';
import { isJsonObject, type Json, type JsonObject } from '#lib/kernel';
import type { TurnDraft } from './turn-draft.rules.js';

/** Keywords whose values are data: a `$ref` in them is not a reference. */
const DATA: ReadonlySet<string> = new Set(['const', 'enum', 'default', 'examples']);
/** Keywords with a schema for each name: a name may equal a keyword. */
const BY_NAME: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  '$defs',
  'definitions',
  'dependentSchemas',
  'dependencies',
]);

/**
 * A schema for use as a part of another, at this JSON pointer: its own pointers are prefixed. References by an anchor, and all
 * within a subschema with an `$id`, stay: they do not depend on the location.
 */
export function embedded(schema: JsonObject, pointer: string): JsonObject {
  return isResource(schema) ? schema : mapped(schema, (value, keyword) => movedIn(keyword, value, pointer));
}

/** The value if it fits the schema; `undefined` if it does not, or without a schema. */
export function fitting(
  turn: TurnDraft,
  schema: JsonObject | undefined,
  value: Json | undefined,
): Json | undefined {
  if (!schema || value === undefined) return undefined;
  const fits = turn.computed((allowance) => checkValue(schema, value, allowance).count === 0, false);
  return fits ? value : undefined;
}

function movedIn(keyword: string, value: Json, pointer: string): Json {
  if (DATA.has(keyword)) return value;
  if (keyword === '$ref' && typeof value === 'string') return movedReference(value, pointer);
  if (BY_NAME.has(keyword) && isJsonObject(value)) return mapped(value, (part) => moved(part, pointer));
  return moved(value, pointer);
}

function moved(value: Json, pointer: string): Json {
  if (Array.isArray(value)) return value.map((item: Json) => moved(item, pointer));
  return isJsonObject(value) ? embedded(value, pointer) : value;
}

function movedReference(reference: string, pointer: string): string {
  return reference === '#' || reference.startsWith('#/') ? `#${pointer}${reference.slice(1)}` : reference;
}

function mapped(object: JsonObject, change: (value: Json, name: string) => Json): JsonObject {
  return Object.fromEntries(
    Object.entries(object).map(([name, value]) => [name, value === undefined ? value : change(value, name)]),
  );
}
