import { randomUUID } from 'node:crypto';
import {
  appendSize,
  type EventStore,
  type EventToStore,
  LARGEST_APPEND,
  type StoredEvent,
} from '#lib/event-store';

const PIECE_CHARACTERS = 900_000;
const APART = 'apart ';

type Texts = Pick<EventToStore, 'data' | 'metadata'>;

/**
 * The server takes more in one append than our port does, and the stand-in adds words of its own. What is too much is kept in
 * pieces, in a stream that the port's log does not show; they come before the events, so that a crash leaves none without.
 */
export async function keepTexts(
  store: EventStore,
  stream: string,
  events: readonly EventToStore[],
): Promise<readonly EventToStore[]> {
  if (appendSize(stream, events) <= LARGEST_APPEND) return events;
  const kept: EventToStore[] = [];
  for (const event of events) kept.push({ ...event, data: '', metadata: await keepApart(store, event) });
  return kept;
}

/** The event as it was before `keepTexts`. */
export async function withTexts(store: EventStore, event: StoredEvent): Promise<StoredEvent> {
  if (!event.metadata.startsWith(APART)) return event;
  const pieces = await store.readStream(event.metadata.slice(APART.length));
  const whole = Buffer.from(pieces.map(({ data }) => data).join(''), 'base64').toString('utf8');
  return { ...event, ...(JSON.parse(whole) as Texts) };
}

async function keepApart(store: EventStore, { data, metadata }: EventToStore): Promise<string> {
  const stream = `blob-${randomUUID()}`;
  const whole = Buffer.from(JSON.stringify({ data, metadata } satisfies Texts)).toString('base64');
  for (let from = 0; from < whole.length; from += PIECE_CHARACTERS) {
    const piece = { eventId: randomUUID(), type: 'Piece', metadata: '{}' };
    await store.append(stream, 'any', [{ ...piece, data: whole.slice(from, from + PIECE_CHARACTERS) }]);
  }
  return `${APART}${stream}`;
}
