import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Gate } from '#lib/gate';
import { CommandGate, type Granted } from '#lib/operations';
import { GateCatalog } from '../gates/gate-catalog.js';
import { DeleteGateCommand } from './delete-gate.command.js';

@CommandHandler(DeleteGateCommand)
export class DeleteGateHandler implements ICommandHandler<DeleteGateCommand> {
  constructor(
    private readonly running: CommandGate,
    private readonly gates: GateCatalog,
  ) {}

  execute({ gateId, call }: DeleteGateCommand): Promise<Granted<Gate>> {
    return this.running.once(call, () => this.gates.delete(gateId, call));
  }
}
