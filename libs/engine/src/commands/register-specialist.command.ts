import { Command } from '@nestjs/cqrs';
import type { Call, Granted } from '#lib/operations';
import type { SpecialistRecord } from '#lib/projections';
import type { SpecialistRegistration } from '#lib/specialist';

/** A specialist, and for a human the token that proves who acts as them: it is given once and stored only as a hash. */
export type RegisteredSpecialist = SpecialistRecord & { readonly actorToken?: string };

export class RegisterSpecialistCommand extends Command<Granted<RegisteredSpecialist>> {
  constructor(
    readonly registration: SpecialistRegistration,
    readonly call: Call,
  ) {
    super();
  }
}
