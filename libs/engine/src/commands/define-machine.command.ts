import { Command } from '@nestjs/cqrs';
import type { MachineRecord } from '#lib/projections';
import type { Call } from '../write-side/call.js';
import type { Granted } from '../write-side/granted.js';

/** Defines a machine, or its next version; its declared specialists are registered where they are not yet. */
export class DefineMachineCommand extends Command<Granted<MachineRecord>> {
  constructor(
    /** A machine definition as it came. */
    readonly definition: unknown,
    readonly call: Call,
  ) {
    super();
  }
}
