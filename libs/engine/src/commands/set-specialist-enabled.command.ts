import { Command } from '@nestjs/cqrs';
import type { Call, Granted } from '#lib/operations';
import type { SpecialistName, SpecialistRecord } from '#lib/projections';

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
