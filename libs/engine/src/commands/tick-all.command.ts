import { Command } from '@nestjs/cqrs';
import type { TickResult } from '../process-manager/tick-result.js';
import type { Call } from '../write-side/call.js';
import type { Granted } from '../write-side/granted.js';

/** One step of every session that is not at rest. */
export class TickAllCommand extends Command<Granted<readonly TickResult[]>> {
  constructor(readonly call: Call) {
    super();
  }
}
