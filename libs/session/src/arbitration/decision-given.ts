import type { JsonObject } from '#lib/kernel';

/** What a caller wants a decision to say, whatever the winning proposal says. */
export interface DecisionGiven {
  readonly reasoning?: string;
  readonly metaJson?: JsonObject;
}

export function decisionGiven({ reasoning, metaJson }: DecisionGiven): DecisionGiven {
  return { ...(reasoning !== undefined && { reasoning }), ...(metaJson !== undefined && { metaJson }) };
}
