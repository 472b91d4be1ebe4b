import { Command } from '@nestjs/cqrs';
import type { Call, Granted } from '#lib/operations';
import type { ArbitrationResult, DecisionGiven } from '#lib/session';

/** Wants a round decided: by an arbiter, or, with `transitionName`, by the human specialist who forces it. */
export interface SubmitArbitrationInput extends DecisionGiven {
  readonly sessionId: string;
  /** Who wants it. A human who forces a transition; or the arbiter that is to judge instead of the state's own. */
  readonly specialistId?: string;
  /** Default: the current round. Another one is stale. */
  readonly roundId?: string;
  readonly transitionName?: string;
}

/** A person's decision. */
export type DecisionInput = SubmitArbitrationInput &
  Required<Pick<SubmitArbitrationInput, 'specialistId' | 'transitionName'>>;

export class SubmitArbitrationCommand extends Command<Granted<ArbitrationResult>> {
  constructor(
    readonly input: SubmitArbitrationInput,
    readonly call: Call,
  ) {
    super();
  }
}
