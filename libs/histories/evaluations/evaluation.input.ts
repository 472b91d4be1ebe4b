import type { JsonObject } from '#lib/kernel';
import type { JsonSchema } from '#lib/workflow';

/** The decisions that a specialist is compared with: `exemplars` of people, `decisions` of people and arbiters. */
export type Against = 'exemplars' | 'decisions';

/** A past round that a specialist is asked about. */
export interface Sample {
  readonly sampleId: string;
  readonly sessionId: string;
  readonly roundId: string;
  /** The state of the round. */
  readonly state: string;
  /** The decision. */
  readonly transitionName: string;
  readonly toState: string;
  /** The revision of the session's stream at which the round began: the source of the specialist's context. */
  readonly revision: number;
}

/** The input of an evaluation: the specialist, and the rounds. */
export interface EvaluationInput {
  /** Also the id of the run. */
  readonly evaluationId: string;
  readonly specialistId: string;
  readonly specialistVersion: number;
  /** The machine that the specialist belongs to. */
  readonly specialistMachine: string;
  /** The machine of the rounds. */
  readonly machineName: string;
  readonly against: Against;
  /** The round that was decided last comes first. */
  readonly samples: readonly Sample[];
}

const text = { type: 'string' };
const whole = { type: 'integer', minimum: 0 };

/** The schema of `EvaluationInput`. */
export const evaluationInput: JsonSchema = closed({
  evaluationId: text,
  specialistId: text,
  specialistVersion: whole,
  specialistMachine: text,
  machineName: text,
  against: { enum: ['exemplars', 'decisions'] },
  samples: {
    type: 'array',
    items: closed({
      sampleId: text,
      sessionId: text,
      roundId: text,
      state: text,
      transitionName: text,
      toState: text,
      revision: whole,
    }),
  },
});

/** Every member is required. */
function closed(properties: JsonObject): JsonObject {
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false };
}
