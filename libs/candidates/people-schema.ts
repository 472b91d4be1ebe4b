import type { JsonObject } from '#lib/kernel';

const names = {
  type: 'array',
  items: { type: 'string', pattern: '^[A-Za-z0-9][A-Za-z0-9._@-]{0,127}$' },
  maxItems: 100,
};

/** The JSON Schema of a policy about people. */
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
