import { isJsonObject, type Json, type JsonObject, present } from '#lib/kernel';

const wrapped = new WeakMap<JsonObject, JsonObject>();

/**
 * The schema of a transition's arguments, which are always an object: `parameters`, or an object with the member `value` of this
 * schema if `parameters` take no object.
 */
export function argumentsSchema(parameters: JsonObject): JsonObject {
  if (takesObject(parameters)) return parameters;
  const known = wrapped.get(parameters) ?? wrapper(parameters);
  wrapped.set(parameters, known);
  return known;
}

/** Whether an object may fit, judged by types alone. */
export function takesObject(schema: Json): boolean {
  if (!isJsonObject(schema)) return schema === true;
  const { type, anyOf, oneOf } = schema;
  if (type !== undefined) return type === 'object' || (Array.isArray(type) && type.includes('object'));
  return [anyOf, oneOf].every((branches) => !Array.isArray(branches) || branches.some(takesObject));
}

/** Definitions stay at the root, where references find them. */
function wrapper({ $schema, $defs, definitions, ...value }: JsonObject): JsonObject {
  return {
    ...($schema !== undefined && { $schema }),
    type: 'object',
    properties: { value },
    required: ['value'],
    additionalProperties: false,
    ...present({ $defs, definitions }),
  };
}
