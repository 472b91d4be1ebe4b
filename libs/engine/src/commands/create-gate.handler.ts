import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { GateCatalog } from '../gates/gate-catalog.js';
import { CommandGate } from '../write-side/command-gate.js';
import type { Granted } from '../write-side/granted.js';
import { type CreatedGate, CreateGateCommand } from './create-gate.command.js';

@CommandHandler(CreateGateCommand)
export class CreateGateHandler implements ICommandHandler<CreateGateCommand> {
  constructor(
    private readonly running: CommandGate,
    private readonly gates: GateCatalog,
  ) {}

  execute({ definition, call }: CreateGateCommand): Promise<Granted<CreatedGate>> {
    return this.running.once(call, () => this.gates.create(definition, call));
  }
}
