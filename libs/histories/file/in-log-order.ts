import type { EventLog, StoredEvent } from '#lib/event-store';
import type { PlannedStream } from './history-plan.js';

/** A stream that is being read, and its next event. */
interface OpenStream {
  readonly events: AsyncGenerator<StoredEvent, undefined>;
  next: StoredEvent;
}

/**
 * The events of these streams in the order of the log. A stream is opened at its first event: memory holds a page of each stream that
 * has begun and not ended.
 * @param streams without the prefix of the log
 */
export async function* inLogOrder(
  log: EventLog,
  streams: readonly PlannedStream[],
): AsyncGenerator<StoredEvent> {
  const waiting = streams.toSorted((a, b) => (a.first < b.first ? -1 : 1));
  const open: OpenStream[] = [];
  for (;;) {
    const first = earliest(open);
    const [begins] = waiting;
    if (begins && (!first || begins.first < first.next.position)) {
      waiting.shift();
      const events = log.eachStored(log.streams.withPrefix(begins.stream), 0, begins.events);
      const { value: next } = await events.next();
      if (next) open.push({ events, next });
    } else if (first) {
      yield first.next;
      const { value: next } = await first.events.next();
      if (next) first.next = next;
      else open.splice(open.indexOf(first), 1);
    } else return;
  }
}

function earliest(open: readonly OpenStream[]): OpenStream | undefined {
  return open.reduce<OpenStream | undefined>(
    (least, one) => (least && least.next.position < one.next.position ? least : one),
    undefined,
  );
}
