import type { JsonObject } from '#lib/kernel';

/** The JSON Schema of a transition's `needsPerson`. */
export const needsPersonSchema: JsonObject = {
  description:
    'People alone execute it: always, or if the expression over `args, metaJson, session` is not false.',
  type: ['boolean', 'object'],
  properties: { if: { type: 'string', description: 'An expression that fails counts as true.' } },
  required: ['if'],
  additionalProperties: false,
  not: { const: false },
};
