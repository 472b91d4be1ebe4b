import { durationSchema, MOST_TIMES, peopleMembers, type PeoplePolicy, peopleSchema } from '#lib/candidates';
import type { Duration, JsonObject } from '#lib/kernel';

/** The policy for the people who decide a round. */
export type DecidingPolicy = PeoplePolicy & {
  /** The decision at the expiry of the wait. Absent: none. */
  readonly onExpiry?: { readonly transition: string };
};

/** The kinds of its members in events. */
export const decidingMembers = { ...peopleMembers, onExpiry: { transition: 'structure' } } as const;

/** A transition that is executed when the round reaches this age. */
export type TimedTransition = { readonly in: Duration; readonly transition: string };

/** The JSON Schema of a policy for the people who decide. */
export const decidingSchema: JsonObject = {
  ...peopleSchema,
  properties: {
    ...(peopleSchema['properties'] as JsonObject),
    onExpiry: {
      description: 'The decision at the expiry of the wait. Without it, there is none.',
      type: 'object',
      properties: { transition: { type: 'string' } },
      required: ['transition'],
      additionalProperties: false,
    },
  },
};

/** The JSON Schema of timed transitions. */
export const afterSchema: JsonObject = {
  description: 'Executed when the round reaches this age.',
  type: 'array',
  maxItems: MOST_TIMES,
  items: {
    type: 'object',
    properties: { in: durationSchema, transition: { type: 'string' } },
    required: ['in', 'transition'],
    additionalProperties: false,
  },
};
