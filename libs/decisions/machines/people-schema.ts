import type { JsonObject } from '#lib/kernel';

const names = {
  type: 'array',
  items: { type: 'string', pattern: '^[A-Za-z0-9][A-Za-z0-9._@-]{0,127}$' },
  maxItems: 100,
};

/** The JSON Schema of the rules about the people who decide. */
export const peopleSchema: JsonObject = {
  description: 'Who decides as a person, and how many of them.',
  type: 'object',
  properties: {
    groups: { ...names, description: 'With groups or people, exactly these decide.' },
    people: { ...names, description: 'Ids of persons.' },
    exclude: { ...names, description: '`creator`, `proposers`, or ids of persons: they never decide.' },
    approvals: {
      type: 'integer',
      minimum: 1,
      maximum: 100,
      default: 1,
      description: 'How many people have to choose the same.',
    },
    priority: { type: 'integer', minimum: 0, maximum: 100, default: 50 },
  },
  additionalProperties: false,
};

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
