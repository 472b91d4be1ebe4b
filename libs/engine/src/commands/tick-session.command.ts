import { Command } from '@nestjs/cqrs';
import type { Call, Granted } from '#lib/operations';
import type { TickResult } from '../process-manager/tick-result.js';

/** One step of one session; `null` where it is at rest. */
export class TickSessionCommand extends Command<Granted<TickResult | null>> {
  constructor(
    readonly sessionId: string,
    readonly call: Call,
  ) {
    super();
  }
}
