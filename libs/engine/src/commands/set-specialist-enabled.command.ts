import { Command } from '@nestjs/cqrs';
import type { SpecialistRecord } from '#lib/projections';
import type { Call } from '../write-side/call.js';
import type { Granted } from '../write-side/granted.js';

/** Enables or disables a specialist. */
export class SetSpecialistEnabledCommand extends Command<Granted<SpecialistRecord>> {
  constructor(
    readonly specialistId: string,
    readonly enabled: boolean,
    readonly call: Call,
  ) {
    super();
  }
}
