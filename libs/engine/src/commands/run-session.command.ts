import { Command } from '@nestjs/cqrs';
import type { Call, Granted } from '#lib/operations';
import type { SessionView } from '#lib/session';

export interface RunSessionInput {
  readonly sessionId: string;
  /** Steps at most. Default 1,000. */
  readonly maxTicks?: number;
}

/** Steps until the session is at rest or needs a person. */
export class RunSessionCommand extends Command<Granted<SessionView>> {
  constructor(
    readonly input: RunSessionInput,
    readonly call: Call,
  ) {
    super();
  }
}
