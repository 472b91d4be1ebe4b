import { type EventLog, LogOrder, type StoredEvent } from '#lib/event-store';
import type { RecordedEvent } from '#lib/kernel';
import type { RunRequests } from './run-owner.js';
import type { ChildStarted } from './runtime.events.js';
import type { RunName } from './waits-for-person.js';

/** A stored event, and its decoded form. */
export interface MergedEvent {
  readonly stored: StoredEvent;
  readonly event: RecordedEvent;
}

/** The runs that an event asks for. */
export type RunsAsked = (event: RecordedEvent) => readonly RunName[];

/**
 * The runs that streams ask for by these requests, and all runs below them.
 * @param ofCopies also the runs that copied events name: they belong to the stream that was copied, and began before the copies
 */
export function runsBelow(requests: readonly RunRequests[], ofCopies = false): RunsAsked {
  return (event) => {
    if (event.metadata.copied && !ofCopies) return [];
    if (event.type === 'ChildStarted') return [(event as RecordedEvent<ChildStarted>).data];
    return requests.flatMap(({ workflow, askedBy }) => {
      const runId = askedBy(event);
      return runId === undefined ? [] : [{ workflow, runId }];
    });
  };
}

/**
 * The events of these streams and of the runs that are asked for in them, in log order. Holds one event of each stream that is not read to its
 * end.
 * @param asked the runs of an event whose streams are read, too. A run that began before that event, such as one that a copied event names,
 * follows it
 * @param after leaves out events up to this position
 * @throws UndecodableEvent @throws StoreUnavailable @throws TooManyReaders
 */
export async function* mergedEvents(
  log: EventLog,
  streams: readonly string[],
  asked: RunsAsked,
  after = '',
): AsyncGenerator<MergedEvent> {
  const order = new LogOrder();
  const begun = new Set<string>();
  const begin = async (stream: string) => {
    if (begun.has(stream)) return;
    begun.add(stream);
    await order.add(log.eachStored(stream));
  };
  for (const stream of streams) await begin(stream);
  for (let first = order.first; first; first = order.first) {
    const stored = first.next;
    const event = await log.decodeWithin(stored);
    if (stored.position > after) yield { stored, event };
    for (const { workflow, runId } of asked(event)) await begin(log.streams.of(workflow, runId));
    await order.advance(first);
  }
}
