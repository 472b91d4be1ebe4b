import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { OpenSessions } from '../process-manager/open-sessions.js';
import { Ticker } from '../process-manager/ticker.js';
import type { TickResult } from '../process-manager/tick-result.js';
import { subCall } from '../write-side/call.js';
import { CommandGate } from '../write-side/command-gate.js';
import type { Granted } from '../write-side/granted.js';
import { WrittenPosition } from '../read-side/written-position.js';
import { inParallel } from '../process-manager/in-parallel.js';
import { TickAllCommand } from './tick-all.command.js';

/** How many sessions take their step at the same time. */
const AT_ONCE = 8;

@CommandHandler(TickAllCommand)
export class TickAllHandler implements ICommandHandler<TickAllCommand> {
  constructor(
    private readonly gate: CommandGate,
    private readonly sessions: OpenSessions,
    private readonly ticker: Ticker,
  ) {}

  execute({ call }: TickAllCommand): Promise<Granted<readonly TickResult[]>> {
    return this.gate.once(call, async () => {
      const ids = await this.sessions.all();
      const results = await inParallel(ids, AT_ONCE, (id) => this.ticker.tick(id, subCall(call, id)));
      return granted(results);
    });
  }
}

function granted(results: readonly Granted<TickResult | null>[]): Granted<readonly TickResult[]> {
  const written = new WrittenPosition();
  for (const { position } of results) written.note(position);
  const value = results.flatMap((result) => result.value ?? []);
  return { value, position: written.latest, created: false };
}
