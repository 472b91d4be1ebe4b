import type { JsonObject } from '#lib/kernel';

/** The most that the calls of a model-driven specialist may use together: one maximum at least. */
export type Budget = {
  /** Input and output. */
  readonly maxTokens?: number;
  readonly maxUSD?: number;
  /** Which calls count: the one that comes, those in the session, or those of the UTC day. */
  readonly per: 'call' | 'session' | 'day';
};

/** The JSON Schema of a budget. */
export const budgetSchema: JsonObject = {
  type: 'object',
  properties: {
    maxTokens: { type: 'integer', minimum: 1 },
    maxUSD: { type: 'number', exclusiveMinimum: 0 },
    per: { enum: ['call', 'session', 'day'] },
  },
  required: ['per'],
  minProperties: 2,
  additionalProperties: false,
};
