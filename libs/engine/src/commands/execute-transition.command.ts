import { Command } from '@nestjs/cqrs';
import type { Call, Granted } from '#lib/operations';
import type { ExecuteTransition, SessionView } from '#lib/session';

/** An operator's decision; open proposals of the round become lost, but for the one that is granted by it. */
export type ExecuteTransitionInput = Omit<ExecuteTransition['data'], 'nextRoundId'>;

export class ExecuteTransitionCommand extends Command<Granted<SessionView>> {
  constructor(
    readonly input: ExecuteTransitionInput,
    readonly call: Call,
  ) {
    super();
  }
}
