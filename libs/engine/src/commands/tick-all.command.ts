import { Command } from '@nestjs/cqrs';
import type { Call, Granted } from '#lib/operations';
import type { TickResult } from '../process-manager/tick-result.js';

/** One step of every session that is not at rest. */
export class TickAllCommand extends Command<Granted<readonly TickResult[]>> {
  constructor(readonly call: Call) {
    super();
  }
}
