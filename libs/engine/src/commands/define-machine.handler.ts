import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { machineDecider, machineVersion } from '#lib/machine';
import { DeclaredSpecialists } from '../specialists/declared-specialists.js';
import { KeyRegister } from '../write-side/key-register.js';
import { CommandGate } from '../write-side/command-gate.js';
import { CommandWriter } from '../write-side/command-writer.js';
import type { Granted } from '../write-side/granted.js';
import { readMachine } from '../machines/read-machine.js';
import { type DefinedMachine, DefineMachineCommand } from './define-machine.command.js';

@CommandHandler(DefineMachineCommand)
export class DefineMachineHandler implements ICommandHandler<DefineMachineCommand> {
  constructor(
    private readonly gate: CommandGate,
    private readonly keys: KeyRegister,
    private readonly writer: CommandWriter,
    private readonly declared: DeclaredSpecialists,
  ) {}

  execute(command: DefineMachineCommand): Promise<Granted<DefinedMachine>> {
    return this.gate.once(command.call, () => this.define(command));
  }

  private async define({ definition: input, call }: DefineMachineCommand): Promise<Granted<DefinedMachine>> {
    const definition = readMachine(input, (machine) => this.declared.problems(machine));
    const target = { category: 'machine', id: definition.machineName } as const;
    await this.declared.check(definition);
    await this.keys.check(call, target);
    const answer = await this.writer.send(
      machineDecider,
      target,
      { type: 'DefineMachine', data: { definition } },
      call,
    );
    const { position = answer.position, ...tokens } = await this.declared.register(definition, call);
    const { version, hash } = machineVersion(answer.state) ?? { version: 0, hash: '' };
    const value = { machineName: definition.machineName, version, hash, definition, ...tokens };
    return { value, position, created: answer.events.length > 0 };
  }
}
