import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CommandGate, type Granted } from '#lib/operations';
import { Ticker } from '../process-manager/ticker.js';
import type { TickResult } from '../process-manager/tick-result.js';
import { TickSessionCommand } from './tick-session.command.js';

@CommandHandler(TickSessionCommand)
export class TickSessionHandler implements ICommandHandler<TickSessionCommand> {
  constructor(
    private readonly gate: CommandGate,
    private readonly ticker: Ticker,
  ) {}

  execute({ sessionId, call }: TickSessionCommand): Promise<Granted<TickResult | null>> {
    return this.gate.once(call, async () => ({
      ...(await this.ticker.tick(sessionId, call)),
      isFleeting: true,
    }));
  }
}
