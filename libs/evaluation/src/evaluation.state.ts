import type { EvaluationStarted, SampleJudged, SampleSolicited } from './evaluation.events.js';
import type { EvaluationResult } from './evaluation-result.js';

/** The decisions that a specialist is compared with: `exemplars` of people, `decisions` of people and arbiters. */
export type Against = 'exemplars' | 'decisions';

/** A round that was decided. */
export interface PastRound {
  readonly sessionId: string;
  readonly roundId: string;
  /** The state in which it was decided. */
  readonly state: string;
  /** The decision. */
  readonly transitionName: string;
  readonly toState: string;
}

/** A past round that a specialist is asked about. */
export interface Sample extends PastRound {
  readonly sampleId: string;
}

export type Evaluation = EvaluationStarted['data'] & {
  /** In the order they were asked about. */
  readonly solicited: readonly SampleSolicited['data'][];
  /** In the order the answers came. */
  readonly judged: readonly SampleJudged['data'][];
  /** Present once every sample is judged. */
  readonly result?: EvaluationResult;
};

/** `null` before the evaluation is started. */
export type EvaluationState = Evaluation | null;
