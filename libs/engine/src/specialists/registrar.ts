import type { CommandBus } from '@nestjs/cqrs';
import type { ArbiterFunctions, ProposerFunctions } from '#lib/activities';
import { randomIds } from '#lib/kernel';
import { callOf, type CallOptions } from '#lib/operations';
import type { SpecialistRecord } from '#lib/projections';
import { specialistStreamId } from '#lib/specialist';
import {
  type RegisteredSpecialist,
  RegisterSpecialistCommand,
} from '../commands/register-specialist.command.js';
import {
  type ArbiterRegistration,
  type ProposerRegistration,
  registerArbiterFunction,
  registerFunctions,
} from './register-functions.js';

/**
 * Registers specialists for code, with functions in place of names. Functions are not in the log: a specialist with one is
 * registered again after every start, which is the same version of it.
 */
export class Registrar {
  constructor(
    private readonly commands: CommandBus,
    private readonly functions: ProposerFunctions,
    private readonly arbiters: ArbiterFunctions,
  ) {}

  /** @throws RejectionError */
  registerProposer(registration: ProposerRegistration, options: CallOptions): Promise<RegisteredSpecialist> {
    const hasFunction = registration.strategyFn !== undefined || registration.contextFn !== undefined;
    const named = registerFunctions(this.functions, registration);
    const command = new RegisterSpecialistCommand(
      named,
      callOf('registerProposer', named, options, randomIds),
    );
    return hasFunction ? this.withFunction(command, this.functions) : this.registered(command);
  }

  /** @throws RejectionError */
  registerArbiter(registration: ArbiterRegistration, options: CallOptions): Promise<SpecialistRecord> {
    const named = registerArbiterFunction(this.arbiters, registration);
    const command = new RegisterSpecialistCommand(
      named,
      callOf('registerArbiter', named, options, randomIds),
    );
    return registration.strategyFn ? this.withFunction(command, this.arbiters) : this.registered(command);
  }

  /** Where the log refuses, the function is taken back. */
  private async withFunction(
    command: RegisterSpecialistCommand,
    functions: ProposerFunctions | ArbiterFunctions,
  ): Promise<RegisteredSpecialist> {
    try {
      return await this.registered(command);
    } catch (error) {
      functions.unregister(specialistStreamId(command.registration));
      throw error;
    }
  }

  private async registered(command: RegisterSpecialistCommand): Promise<RegisteredSpecialist> {
    return (await this.commands.execute(command)).value;
  }
}
