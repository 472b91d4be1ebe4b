import { Command } from '@nestjs/cqrs';
import type { SessionView } from '#lib/session';
import type { Call } from '../write-side/call.js';
import type { Granted } from '../write-side/granted.js';

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
