import { Command } from '@nestjs/cqrs';
import type { SpecialistName, SpecialistRecord } from '#lib/projections';
import type { Call } from '../write-side/call.js';
import type { Granted } from '../write-side/granted.js';

/** Enables or disables a specialist, in all its versions. */
export class SetSpecialistEnabledCommand extends Command<Granted<SpecialistRecord>> {
  constructor(
    readonly name: SpecialistName,
    readonly enabled: boolean,
    readonly call: Call,
  ) {
    super();
  }
}
