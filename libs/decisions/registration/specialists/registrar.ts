import type { ArbiterFunctions } from '#lib/decisions/arbitration';
import type { ProposerFunctions } from '#lib/decisions/solicitation';
import type { CommandOptions, Dispatcher } from '#lib/operations';
import { specialistStreamId, type SpecialistRegistration } from '#lib/decisions/specialists';
import {
  type ArbiterRegistration,
  type ProposerRegistration,
  registerArbiterFunction,
  registerFunctions,
} from './register-functions.js';
import { RegisterSpecialist } from './specialists.operations.js';
import type { RegisteredSpecialist } from './specialists.views.js';

/**
 * Registers specialists for code, with functions in place of names. Functions are not in the log: a specialist with one is
 * registered again after every start, which is the same version of it.
 */
export class Registrar {
  constructor(
    private readonly dispatcher: Dispatcher,
    private readonly functions: ProposerFunctions,
    private readonly arbiters: ArbiterFunctions,
  ) {}

  /** @throws RejectionError */
  async registerProposer(
    registration: ProposerRegistration,
    options: CommandOptions,
  ): Promise<RegisteredSpecialist> {
    const hasFunction = registration.strategyFn !== undefined || registration.contextFn !== undefined;
    const named = registerFunctions(this.functions, registration);
    return hasFunction ? this.withFunction(named, options, this.functions) : this.registered(named, options);
  }

  /** @throws RejectionError */
  async registerArbiter(
    registration: ArbiterRegistration,
    options: CommandOptions,
  ): Promise<RegisteredSpecialist> {
    const named = registerArbiterFunction(this.arbiters, registration);
    return registration.strategyFn
      ? this.withFunction(named, options, this.arbiters)
      : this.registered(named, options);
  }

  /** When the log refuses, the function is unregistered. */
  private async withFunction(
    named: SpecialistRegistration,
    options: CommandOptions,
    functions: ProposerFunctions | ArbiterFunctions,
  ): Promise<RegisteredSpecialist> {
    try {
      return await this.registered(named, options);
    } catch (error) {
      functions.unregister(specialistStreamId(named));
      throw error;
    }
  }

  private async registered(
    named: SpecialistRegistration,
    options: CommandOptions,
  ): Promise<RegisteredSpecialist> {
    return (await this.dispatcher.dispatch(RegisterSpecialist, named, options)).value;
  }
}
