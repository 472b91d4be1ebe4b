import type { EventLog, Position } from '#lib/event-store';
import type { RecordedEvent } from '#lib/kernel';

const PAGE = 20;

/** The events of one stream: read up to the head of the log, then followed from there. Nothing is lost or repeated between the two. */
export async function* followStream(
  log: EventLog,
  stream: string,
  after: Position | undefined,
  signal: AbortSignal,
): AsyncGenerator<readonly RecordedEvent[]> {
  const head = await log.store.head();
  let from = 0;
  for (;;) {
    const page = await log.readStream(stream, { from, limit: PAGE });
    const old = page.filter(({ position }) => position <= (head ?? ''));
    yield old.filter(({ position }) => after === undefined || position > after);
    if (signal.aborted || old.length < PAGE) break;
    from += PAGE;
  }
  const liveAfter = after !== undefined && after > (head ?? '') ? after : head;
  for await (const batch of log.store.subscribe(liveAfter, signal)) {
    for (const stored of batch) if (stored.stream === stream) yield [await log.decode(stored)];
  }
}
