import { Logger } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import {
  type CommandContext,
  currentContext,
  type Written,
  markFleeting,
  childContext,
} from '#lib/operations';
import { OpenSessions } from './drive/open-sessions.js';
import { Ticker } from './drive/ticker.js';
import type { TickResult } from './drive/tick-result.js';
import { inParallel } from './drive/in-parallel.js';
import { TickAll } from './tick-all.operation.js';

/** How many sessions take their step at the same time. */
const AT_ONCE = 8;

@CommandHandler(TickAll)
export class TickAllHandler implements ICommandHandler<TickAll> {
  private readonly logger = new Logger('Ticks');

  constructor(
    private readonly sessions: OpenSessions,
    private readonly ticker: Ticker,
  ) {}

  async execute(): Promise<readonly TickResult[]> {
    const context = currentContext();
    const ids = await this.sessions.all();
    const settled = await inParallel(ids, AT_ONCE, (id) => this.settled(id, childContext(context, id)));
    const results = this.succeeded(ids, settled);
    for (const { position } of results) context.written.note(position);
    markFleeting();
    return results.flatMap(({ value }) => value ?? []);
  }

  private async settled(
    sessionId: string,
    context: CommandContext,
  ): Promise<PromiseSettledResult<Written<TickResult | null>>> {
    const [result] = await Promise.allSettled([this.ticker.tick(sessionId, context)]);
    return result;
  }

  /** A session that fails is logged, and does not stop the steps of others. @throws its failure where all fail */
  private succeeded(
    ids: readonly string[],
    settled: readonly PromiseSettledResult<Written<TickResult | null>>[],
  ): readonly Written<TickResult | null>[] {
    const failed = settled.flatMap((result, place) =>
      result.status === 'rejected' ? [{ id: ids[place], reason: result.reason as unknown }] : [],
    );
    if (failed.length > 0 && failed.length === settled.length) throw failed[0]?.reason;
    for (const { id, reason } of failed)
      this.logger.warn(
        `session ${id} took no step: ${reason instanceof Error ? reason.message : String(reason)}`,
      );
    return settled.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  }
}
