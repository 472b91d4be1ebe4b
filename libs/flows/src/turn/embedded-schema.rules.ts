import { checkValue } from '#lib/json-schema';
import { isJsonObject, type Json, type JsonObject } from '#lib/kernel';

/** A schema as a part of another one, at this JSON pointer of it: references to its own parts lead there. */
export function embedded(schema: JsonObject, pointer: string): JsonObject {
  return moved(schema, pointer) as JsonObject;
}

/** The value where it fits the schema; `undefined` for one that does not, and where there is no schema. */
export function fitting(schema: JsonObject | undefined, value: Json | undefined): Json | undefined {
  return schema && value !== undefined && checkValue(schema, value).count === 0 ? value : undefined;
}

function moved(value: Json | undefined, pointer: string): Json {
  if (value === undefined) return null;
  if (Array.isArray(value)) return value.map((item: Json) => moved(item, pointer));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      name === '$ref' && typeof member === 'string' && member.startsWith('#')
        ? `#${pointer}${member.slice(1)}`
        : moved(member, pointer),
    ]),
  );
}
