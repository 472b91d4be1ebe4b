import type { JsonObject } from '#lib/kernel';
import type { ChosenRoundsFilter } from '#lib/read-models';

/** The points of an experiment: rounds of a machine, or of sessions. */
export type PointsQuestion =
  | ({ readonly machineName: string; readonly max?: number } & Omit<ChosenRoundsFilter, 'sessionIds'>)
  | { readonly sessionIds: readonly string[] };

export const MOST_POINTS = 10_000;
const text = { type: 'string', minLength: 1, maxLength: 128 };
const time = { type: 'string', maxLength: 64 };

/** The schema of `PointsQuestion`. */
export const pointsSchema: JsonObject = {
  anyOf: [
    {
      type: 'object',
      required: ['machineName'],
      additionalProperties: false,
      properties: {
        machineName: text,
        states: { type: 'array', items: { type: 'string' }, maxItems: 1_000 },
        from: time,
        to: time,
        decidedBy: { enum: ['people', 'any'] },
        max: { type: 'integer', minimum: 1, maximum: MOST_POINTS },
        order: { enum: ['newest', 'oldest', 'random'] },
        seed: text,
      },
    },
    {
      type: 'object',
      required: ['sessionIds'],
      additionalProperties: false,
      properties: {
        sessionIds: { type: 'array', items: text, minItems: 1, maxItems: 1_000, uniqueItems: true },
      },
    },
  ],
};
