// The names of these events and of their members are the storage format: logs of every release hold them.
// Add members as optional ones; to rename or to change a meaning, raise the version and write an upcaster.
import type { EventDefinitions } from '#lib/event-store';
import type { Event } from '#lib/kernel';
import type { SolicitationFailure } from '#lib/session';
import type { EvaluationResult } from './evaluation-result.js';
import type { Against, Sample } from './evaluation.state.js';

/** A specialist is asked anew about past rounds. Their contexts stand in the solicitations, not here. */
export type EvaluationStarted = Event<
  'EvaluationStarted',
  {
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
>;

/** The specialist is being asked about a round. Once for each sample; closed by its SampleJudged. */
export type SampleSolicited = Event<
  'SampleSolicited',
  { readonly sampleId: string; readonly solicitationId: string }
>;

/** The specialist's choice, or its failure, and whether the choice equals the decision. */
export type SampleJudged = Event<
  'SampleJudged',
  {
    readonly sampleId: string;
    readonly solicitationId: string;
    /** Its choice; absent where there is a failure. */
    readonly transitionName?: string;
    readonly toState?: string;
    readonly failure?: SolicitationFailure;
    /** It chose the transition that was decided. */
    readonly matches: boolean;
    readonly costUSD?: number;
    readonly latencyMsec?: number;
    readonly numInputTokens?: number;
    readonly numOutputTokens?: number;
  }
>;

/** Every sample is judged. In the same append as the last of them, or as the start where there is none. */
export type EvaluationCompleted = Event<'EvaluationCompleted', EvaluationResult>;

/** The events of a stream of the category `evaluation`; its id is the evaluation's. */
export type EvaluationEvent = EvaluationStarted | SampleSolicited | SampleJudged | EvaluationCompleted;

/** The event catalogue's entries: the current schema version of each type. */
export const evaluationEventDefinitions: EventDefinitions<EvaluationEvent> = {
  EvaluationStarted: { version: 1 },
  SampleSolicited: { version: 1 },
  SampleJudged: { version: 1 },
  EvaluationCompleted: { version: 1 },
};
