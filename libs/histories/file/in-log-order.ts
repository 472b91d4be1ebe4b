import { type EventLog, LogOrder, type StoredEvent } from '#lib/event-store';
import type { PlannedStream } from './history-plan.js';

/**
 * The events of these streams in the order of the log. A stream is opened at its first event: memory holds a page of each open
 * stream.
 * @param streams without the prefix of the log
 */
export async function* inLogOrder(
  log: EventLog,
  streams: readonly PlannedStream[],
): AsyncGenerator<StoredEvent> {
  const order = new LogOrder();
  const waiting = streams.toSorted((a, b) => (a.first < b.first ? -1 : 1));
  for (;;) {
    const { first } = order;
    const [begins] = waiting;
    if (begins && (!first || begins.first < first.next.position)) {
      waiting.shift();
      await order.add(log.eachStored(log.streams.withPrefix(begins.stream), 0, begins.events));
    } else if (first) {
      yield first.next;
      await order.advance(first);
    } else return;
  }
}
