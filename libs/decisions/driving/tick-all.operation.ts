import { Logger } from '@nestjs/common';
import { Command } from '@nestjs/cqrs';
import { settledInParallel, thrownText } from '#lib/kernel';
import {
  answeredBy,
  CallSubject,
  childContext,
  type CommandContext,
  currentContext,
  list,
  markFleeting,
  Operation,
  type Written,
} from '#lib/operations';
import { Tick } from './sessions.views.js';
import { OpenSessions } from './drive/open-sessions.js';
import { Ticker } from './drive/ticker.js';

@Operation({
  summary: 'One step of every session that is not at rest',
  http: 'POST /v1/tick',
  mcp: false,
  access: 'operator',
  answers: { 200: list(Tick) },
  problems: [503],
})
export class TickAll extends Command<readonly Tick[]> {}

/** Sessions that take their step at the same time. */
const AT_ONCE = 8;

export const TickAllHandler = answeredBy(TickAll, [OpenSessions, Ticker], async (_, sessions, ticker) => {
  const context = currentContext();
  const ids = await sessions.all();
  const settled = await settledInParallel(ids, AT_ONCE, (id) =>
    stepOf(ticker, id, childContext(context, id)),
  );
  const results = succeeded(ids, settled);
  for (const { position } of results) context.written.note(position);
  markFleeting();
  return results.flatMap(({ value }) => value ?? []);
});

/** The answer to the call is recorded without the key of a subject: the results of steps hold no content. */
async function stepOf(ticker: Ticker, id: string, context: CommandContext): Promise<Written<Tick | null>> {
  const about = new CallSubject();
  const { value, ...written } = await ticker.tick(id, { ...context, about });
  if (!value || about.name === undefined) return { value, ...written };
  const { reasoning: _reasoning, failure: _failure, ...step } = value;
  return { value: step, ...written };
}

const logger = new Logger('Ticks');

/** A session that fails is logged, and does not stop the steps of others. @throws its failure if all fail */
function succeeded(
  ids: readonly string[],
  settled: readonly PromiseSettledResult<Written<Tick | null>>[],
): readonly Written<Tick | null>[] {
  const failed = settled.flatMap((result, index) =>
    result.status === 'rejected' ? [{ id: ids[index], reason: result.reason as unknown }] : [],
  );
  if (failed.length > 0 && failed.length === settled.length) throw failed[0]?.reason;
  for (const { id, reason } of failed) logger.warn(`session ${id} took no step: ${thrownText(reason)}`);
  return settled.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
}
