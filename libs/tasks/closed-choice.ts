import type { JsonObject } from '#lib/kernel';

const beside: JsonObject = {
  digest: { type: 'string', pattern: '^[0-9a-f]{64}$' },
  reason: { type: 'string' },
  version: { type: 'integer', minimum: 1 },
};

/** The closed JSON Schema of the body that makes a choice. @param needed besides the choice itself */
export function closedChoice(choice: string, members: JsonObject, needed: readonly string[]): JsonObject {
  return {
    type: 'object',
    properties: { choice: { const: choice }, ...members, ...beside },
    required: ['choice', ...needed],
    additionalProperties: false,
  };
}
