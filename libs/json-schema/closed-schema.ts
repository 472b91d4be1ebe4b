import type { JsonObject } from '#lib/kernel';

/** The schema of an object that has these members and no others. */
export function closedSchema(properties: JsonObject, required: readonly string[] = []): JsonObject {
  return { type: 'object', properties, required: [...required], additionalProperties: false };
}
