import { Command } from '@nestjs/cqrs';
import type { Call, Granted } from '#lib/operations';
import type { CallerGiven, ProposalView } from '#lib/session';

/** A proposal: stated outright with `transitionName`, or else asked of the specialist. */
export interface SubmitProposalInput extends CallerGiven {
  readonly sessionId: string;
  readonly specialistId: string;
  /** Default: the current round. For a past one the proposal is kept as late. */
  readonly roundId?: string;
  readonly transitionName?: string;
}

export class SubmitProposalCommand extends Command<Granted<ProposalView>> {
  constructor(
    readonly input: SubmitProposalInput,
    readonly call: Call,
  ) {
    super();
  }
}
