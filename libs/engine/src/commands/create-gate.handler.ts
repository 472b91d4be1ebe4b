import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CommandGate, type Granted } from '#lib/operations';
import { GateCatalog } from '../gates/gate-catalog.js';
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
