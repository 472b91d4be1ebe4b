import type { JsonObject } from '#lib/kernel';

const names = {
  type: 'array',
  items: { type: 'string', pattern: '^[A-Za-z0-9][A-Za-z0-9._@-]{0,127}$' },
  maxItems: 100,
};

/** The JSON Schema of a duration, without the rules that a schema cannot express. */
export const durationSchema: JsonObject = { type: 'string', description: 'ISO 8601, from 1 s to 366 d.' };
/** The most entries of one list of times. */
export const MOST_TIMES = 100;

const escalation = {
  description: 'More people who may answer, after some time.',
  type: 'object',
  properties: {
    in: durationSchema,
    groups: names,
    people: names,
    keep: { type: 'boolean', default: true, description: '`false`: they replace the earlier candidates.' },
  },
  required: ['in'],
  additionalProperties: false,
};

/** The JSON Schema of a policy about people. */
export const peopleSchema: JsonObject = {
  description: 'The people who decide, and how many of them.',
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
      description: 'The number of people who have to make the same choice.',
    },
    priority: { type: 'integer', minimum: 0, maximum: 100, default: 50 },
    dueIn: durationSchema,
    remindBefore: {
      type: 'array',
      items: durationSchema,
      maxItems: MOST_TIMES,
      description: 'The times before the wait is due.',
    },
    escalations: { type: 'array', items: escalation, maxItems: MOST_TIMES },
    expireIn: { ...durationSchema, description: 'After this time the wait takes no answer. ISO 8601.' },
  },
  additionalProperties: false,
};
