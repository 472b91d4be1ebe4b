import { Command } from '@nestjs/cqrs';
import type { TickResult } from '../process-manager/tick-result.js';
import type { Call } from '../write-side/call.js';
import type { Granted } from '../write-side/granted.js';

/** One step of one session; `null` where it is at rest. */
export class TickSessionCommand extends Command<Granted<TickResult | null>> {
  constructor(
    readonly sessionId: string,
    readonly call: Call,
  ) {
    super();
  }
}
