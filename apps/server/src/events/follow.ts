import type { EventLog, Position, StoredEvent } from '#lib/event-store';
import type { RecordedEvent } from '#lib/kernel';
import type { SessionEvents } from '#lib/sessions';

type Events = readonly RecordedEvent[];

const PAGE = 20;

/** The events of one stream. */
export async function* followStream(
  log: EventLog,
  stream: string,
  after: Position | undefined,
  signal: AbortSignal,
): AsyncGenerator<Events> {
  const head = await log.store.head();
  yield* thenLive(log, pagesOf(log, stream), (stored) => stored.stream === stream, { head, after, signal });
}

async function* pagesOf(log: EventLog, stream: string): AsyncGenerator<Events> {
  for (let from = 0; ; from += PAGE) {
    const page = await log.readStream(stream, { from, limit: PAGE });
    yield page;
    if (page.length < PAGE) return;
  }
}

/**
 * The events of a session and of what it asked. Those up to the head are found through the rows.
 * @throws RejectionError for an unknown session; ProjectionBehind: before anything is given
 */
export async function followSession(
  log: EventLog,
  events: SessionEvents,
  sessionId: string,
  start: { after: Position | undefined; minPosition: string | undefined; signal: AbortSignal },
): Promise<AsyncGenerator<Events>> {
  const { after, minPosition, signal } = start;
  const head = await log.store.head();
  const from = { limit: PAGE, ...(after !== undefined && { afterPosition: after }) };
  const first = await events.page(sessionId, from, latest(head, minPosition));
  async function* pages(): AsyncGenerator<Events> {
    for (let page = first; ;) {
      yield page.items;
      if (page.nextCursor === null) return;
      page = await events.page(sessionId, { cursor: page.nextCursor, limit: PAGE });
    }
  }
  const isOfSession = (stored: StoredEvent) => isOf(log, sessionId, stored);
  return thenLive(log, pages(), isOfSession, { head, after, signal });
}

function isOf({ streams, codec }: EventLog, sessionId: string, stored: StoredEvent): boolean {
  const { category, id } = streams.parse(stored.stream) ?? {};
  if (category !== 'solicitation' && category !== 'arbitration')
    return category === 'session' && id === sessionId;
  return codec.metadataOf(stored).correlationId === sessionId;
}

interface Span {
  /** The head of the log at the opening: events up to it come from pages, later ones from the log itself. */
  readonly head: Position | undefined;
  readonly after: Position | undefined;
  readonly signal: AbortSignal;
}

/**
 * Events that are there, then live ones. Nothing is lost or repeated between the two, and the live part waits for no projection.
 * Ends when the signal aborts, or the log closes.
 */
async function* thenLive(
  log: EventLog,
  pages: AsyncIterable<Events>,
  isFollowed: (stored: StoredEvent) => boolean,
  { head, after, signal }: Span,
): AsyncGenerator<Events> {
  for await (const page of pages) {
    const old = page.filter(({ position }) => position <= (head ?? ''));
    yield old.filter(({ position }) => position > (after ?? ''));
    if (signal.aborted || old.length < page.length) break;
  }
  for await (const batch of log.store.subscribe(latest(head, after), signal)) {
    // One at a time: each may be large.
    for (const stored of batch) if (isFollowed(stored)) yield [await log.decode(stored)];
  }
}

/** Positions of one log compare as text. */
function latest<P extends string>(one: P | undefined, other: P | undefined): P | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return one > other ? one : other;
}
