import type { CommandBus } from '@nestjs/cqrs';
import type { ArbiterFunctions, ProposerFunctions } from '#lib/activities';
import { randomIds } from '#lib/kernel';
import type { SpecialistRecord } from '#lib/projections';
import { specialistDecider, type SpecialistRegistration } from '#lib/specialist';
import {
  type RegisteredSpecialist,
  RegisterSpecialistCommand,
} from '../commands/register-specialist.command.js';
import { callOf, type CallOptions } from '../write-side/call.js';
import type { CommandWriter } from '../write-side/command-writer.js';
import { RejectionError } from '../write-side/rejection-error.js';
import {
  type ArbiterRegistration,
  type ProposerRegistration,
  registerArbiterFunction,
  registerFunctions,
} from './register-functions.js';
import { specialistRecord } from './specialist-record.js';

/**
 * Registers specialists for code, with functions in place of names. Functions are not in the log: a specialist with one is registered
 * again after every start, and is given back where the log knows the same one already.
 */
export class Registrar {
  constructor(
    private readonly commands: CommandBus,
    private readonly writer: CommandWriter,
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
      const there = await this.registeredAlike(command.registration, error);
      if (!there) functions.unregister(command.registration.specialistId);
      return there ?? Promise.reject(error);
    }
  }

  private async registered(command: RegisterSpecialistCommand): Promise<RegisteredSpecialist> {
    return (await this.commands.execute(command)).value;
  }

  /** The specialist that is in the way of a registration, if it is of the same role, machine and mode. */
  private async registeredAlike(
    named: SpecialistRegistration,
    error: unknown,
  ): Promise<SpecialistRecord | undefined> {
    if (!(error instanceof RejectionError) || error.rejection.code !== 'specialist-exists') return undefined;
    const target = { category: 'specialist', id: named.specialistId } as const;
    const found = specialistRecord(await this.writer.state(specialistDecider, target));
    return ALIKE.every((member) => found[member] === named[member]) ? found : undefined;
  }
}

const ALIKE = ['role', 'machineName', 'strategyFnName', 'contextFnName', 'modelId', 'threshold'] as const;
