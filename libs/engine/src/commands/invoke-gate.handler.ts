import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { GateResult } from '#lib/gate';
import { CommandGate, type Granted } from '#lib/operations';
import { Invocations } from '../gates/invocations.js';
import { InvokeGateCommand } from './invoke-gate.command.js';

@CommandHandler(InvokeGateCommand)
export class InvokeGateHandler implements ICommandHandler<InvokeGateCommand> {
  constructor(
    private readonly running: CommandGate,
    private readonly invocations: Invocations,
  ) {}

  execute({ input, call }: InvokeGateCommand): Promise<Granted<GateResult>> {
    return this.running.once(call, () => this.invocations.invoke(input, call));
  }
}
