import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CommandGate, type Granted, KeyRegister } from '#lib/operations';
import { MachineCatalog } from '../machines/machine-catalog.js';
import { readMachine } from '../machines/read-machine.js';
import { DeclaredSpecialists } from '../specialists/declared-specialists.js';
import { type DefinedMachine, DefineMachineCommand } from './define-machine.command.js';

@CommandHandler(DefineMachineCommand)
export class DefineMachineHandler implements ICommandHandler<DefineMachineCommand> {
  constructor(
    private readonly gate: CommandGate,
    private readonly keys: KeyRegister,
    private readonly machines: MachineCatalog,
    private readonly declared: DeclaredSpecialists,
  ) {}

  execute(command: DefineMachineCommand): Promise<Granted<DefinedMachine>> {
    return this.gate.once(command.call, () => this.define(command));
  }

  private async define({ definition: input, call }: DefineMachineCommand): Promise<Granted<DefinedMachine>> {
    const { machine, warnings } = readMachine(input, (candidate) => this.declared.problems(candidate));
    await this.keys.check(call, { category: 'machine', id: machine.machineName });
    const { value, ...written } = await this.machines.define(machine, call);
    return { ...written, value: { ...value, warnings } };
  }
}
