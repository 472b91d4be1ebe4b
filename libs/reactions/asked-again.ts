import type { EventLog } from '#lib/event-store';
import type { RecordedEvent } from '#lib/kernel';
import { type Rows, storedPosition } from '#lib/read-models';
import { type DeliveryTables, placesTable } from './deliveries.tables.js';
import type { ReactionEvent } from './reaction.events.js';

const PAGE = 64;

/** A delivery that an operator asks for again. */
export interface AskedAgain {
  /** The number in the position of the event that asks. */
  readonly at: number;
  readonly deliveryId: string;
  readonly type: string;
}

/** Deliveries that are asked for again and that the reaction, which may not run, has not reached. The newest first. */
export async function* askedAgain(
  log: EventLog,
  db: Rows<'reactions'>,
  reaction: string,
): AsyncGenerator<AskedAgain> {
  const reached = await reachedBy(log, db, reaction);
  const ended = new Set<string>();
  for await (const { type, data, position } of backwards(log, reaction)) {
    if (type === 'ReactionStarted' || type === 'ReactionEnded') return;
    // A reaction without rows goes on from its last mark.
    if (reached === undefined ? type === 'ReactionAdvanced' : position <= reached) return;
    if (type === 'ReactionAdvanced') continue;
    const { deliveryId } = data;
    const isOpen = type === 'DeliveryRetried' && !ended.has(deliveryId);
    ended.add(deliveryId);
    if (isOpen) yield { at: storedPosition(position), deliveryId, type: data.type };
  }
}

async function reachedBy(
  log: EventLog,
  db: Rows<'reactions'>,
  reaction: string,
): Promise<string | undefined> {
  const places = db.withTables<DeliveryTables>().selectFrom(placesTable.name);
  const place = await places.select('reached').where('name', '=', reaction).executeTakeFirst();
  return place?.reached.startsWith(`${log.store.logId}.`) ? place.reached : undefined;
}

async function* backwards(log: EventLog, reaction: string): AsyncGenerator<RecordedEvent<ReactionEvent>> {
  const stream = log.streams.of('reaction', reaction);
  for (let from: number | undefined; from === undefined || from >= 0;) {
    const page = await log.readStream<ReactionEvent>(stream, {
      direction: 'backwards',
      limit: PAGE,
      ...(from !== undefined && { from }),
    });
    yield* page;
    if (page.length < PAGE) return;
    from = (page.at(-1)?.revision ?? 0) - 1;
  }
}
