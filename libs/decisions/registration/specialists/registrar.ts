import type { ArbiterFn, ArbiterFunctions } from '#lib/decisions/arbitration';
import type { ContextFn, ProposerFunctions, StrategyFn } from '#lib/decisions/solicitation';
import type { CommandOptions, Dispatcher } from '#lib/operations';
import { specialistStreamId, type SpecialistRegistration } from '#lib/decisions/specialists';
import { type MachineInputOfCode, type NamedFunctions, withNames } from '../machines/machine-functions.js';
import type { DefinedMachine } from '../machines/machines.views.js';
import { DefineMachine } from '../machines/machines.operations.js';
import {
  type ArbiterRegistration,
  inOwnMembers,
  type InNames,
  type ProposerRegistration,
  registerArbiterFunction,
  registerFunctions,
} from './register-functions.js';
import { RegisterSpecialist } from './specialists.operations.js';
import type { RegisteredSpecialist } from './specialists.views.js';

/**
 * Registers specialists and defines machines for code, with functions in place of names. Functions are not in the log: code
 * registers such a specialist again after every start, which gives the same version.
 */
export class Registrar {
  constructor(
    private readonly dispatcher: Dispatcher,
    private readonly functions: ProposerFunctions,
    private readonly arbiters: ArbiterFunctions,
  ) {}

  /** @throws RejectionError */
  async registerProposer(
    registration: InNames<ProposerRegistration>,
    options: CommandOptions,
  ): Promise<RegisteredSpecialist> {
    const moved = inOwnMembers(registration);
    const restore = this.restoring('proposer', specialistStreamId(moved));
    const named = registerFunctions(this.functions, moved);
    return orRestored([restore], () => this.registered(named, options));
  }

  /** @throws RejectionError */
  async registerArbiter(
    registration: InNames<ArbiterRegistration>,
    options: CommandOptions,
  ): Promise<RegisteredSpecialist> {
    const moved = inOwnMembers(registration);
    const restore = this.restoring('arbiter', specialistStreamId(moved));
    const named = registerArbiterFunction(this.arbiters, moved);
    return orRestored([restore], () => this.registered(named, options));
  }

  /**
   * Defines a machine. The functions of its specialists replace earlier ones; if the log refuses the machine, the earlier ones
   * are restored.
   * @throws RejectionError
   */
  async defineMachine(input: MachineInputOfCode, options: CommandOptions): Promise<DefinedMachine> {
    const { machine, functions } = withNames(input);
    const undo = functions.map((one) => this.replaced(one));
    const named = machine as DefineMachine['machine'];
    return orRestored(
      undo,
      async () => (await this.dispatcher.dispatch(DefineMachine, { machine: named }, options)).value,
    );
  }

  /** @returns a function that restores the earlier functions */
  private replaced({ name, role, strategyFnName, contextFnName }: NamedFunctions): () => void {
    const restore = this.restoring(role, name);
    if (role === 'arbiter') this.setArbiter(name, strategyFnName);
    else this.setProposer(name, strategyFnName, contextFnName);
    return restore;
  }

  /** @returns a function that restores the functions that are registered now under this name */
  private restoring(role: unknown, name: string): () => void {
    const { functions, arbiters } = this;
    const arbiter = arbiters.arbiter(name);
    if (role === 'arbiter') return () => this.setArbiter(name, arbiter);
    const before = [functions.strategy(name), functions.context(name)] as const;
    return () => this.setProposer(name, ...before);
  }

  private setArbiter(name: string, arbiter: ArbiterFn | undefined): void {
    this.arbiters.unregister(name);
    if (arbiter) this.arbiters.registerArbiter(name, arbiter);
  }

  private setProposer(name: string, strategy: StrategyFn | undefined, context: ContextFn | undefined): void {
    this.functions.unregister(name);
    if (strategy) this.functions.registerStrategy(name, strategy);
    if (context) this.functions.registerContext(name, context);
  }

  private async registered(
    named: SpecialistRegistration,
    options: CommandOptions,
  ): Promise<RegisteredSpecialist> {
    return (await this.dispatcher.dispatch(RegisterSpecialist, named, options)).value;
  }
}

/** Does work that the log may refuse: the functions that were registered before it are then restored. */
async function orRestored<Result>(
  restores: readonly (() => void)[],
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    for (const restore of restores) restore();
    throw error;
  }
}
