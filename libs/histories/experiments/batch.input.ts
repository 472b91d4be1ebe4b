import type { JsonObject } from '#lib/kernel';
import type { JsonSchema } from '#lib/workflow';
import type { ExperimentCaps, ExperimentVariant } from './experiment.events.js';

/** One question to one variant. */
export interface Ask {
  /** The number of the ask in the experiment, as text. */
  readonly id: string;
  /** The index of the variant. */
  readonly variant: number;
  readonly sessionId: string;
  readonly roundId: string;
  readonly revision: number;
}

/** The input of a batch. Its limits are the remainders after the earlier batches. */
export interface BatchInput extends ExperimentCaps {
  readonly experimentId: string;
  /** The machine of the points. */
  readonly machineName: string;
  readonly concurrency: number;
  readonly variants: readonly Omit<ExperimentVariant, 'name'>[];
  readonly asks: readonly Ask[];
}

const text = { type: 'string' };
const whole = { type: 'integer', minimum: 0 };

/** The schema of `BatchInput`. */
export const batchInput: JsonSchema = {
  type: 'object',
  required: ['experimentId', 'machineName', 'concurrency', 'variants', 'asks'],
  properties: {
    experimentId: text,
    machineName: text,
    concurrency: { type: 'integer', minimum: 1 },
    maxCalls: { type: 'number' },
    maxCostUSD: { type: 'number' },
    variants: list({
      specialistId: text,
      specialistVersion: whole,
      specialistMachine: text,
      overrides: { type: 'object' },
    }),
    asks: list({ id: text, variant: whole, sessionId: text, roundId: text, revision: whole }),
  },
};

/** Every member is required. */
function list(properties: JsonObject): JsonObject {
  return { type: 'array', items: { type: 'object', required: Object.keys(properties), properties } };
}
