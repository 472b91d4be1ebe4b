import type { JsonObject } from '#lib/kernel';
import type { PastTransition } from '#lib/decisions/session';

/** A decision before an invocation, as given by a caller: an item of a session's history fits. */
export type EarlierDecision = Pick<PastTransition, 'transitionName'> & Partial<PastTransition>;

const text = { type: 'string' };

/** The JSON Schema of a list of them. */
export const HISTORY: JsonObject = {
  type: 'array',
  maxItems: 500,
  items: {
    type: 'object',
    required: ['transitionName'],
    additionalProperties: false,
    properties: {
      transitionName: { ...text, minLength: 1 },
      fromState: text,
      toState: text,
      reasoning: text,
      metaJson: { type: 'object' },
      isHuman: { type: 'boolean' },
      decidedBy: text,
      proposalId: text,
      executionTimestamp: text,
    },
  },
};

/** The decision in the context of specialists. Absent texts are empty. */
export function earlierDecision({
  transitionName,
  fromState = '',
  toState = '',
  reasoning = '',
  metaJson,
}: EarlierDecision): PastTransition {
  return { transitionName, fromState, toState, reasoning, ...(metaJson && { metaJson }) };
}
