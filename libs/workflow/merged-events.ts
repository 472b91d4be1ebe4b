import type { EventLog, StoredEvent } from '#lib/event-store';
import type { RecordedEvent } from '#lib/kernel';
import type { RunRequests } from './run-owner.js';
import type { ChildStarted } from './runtime.events.js';
import type { RunName } from './waits-for-person.js';

/** An event as it is stored, and decoded. */
export interface MergedEvent {
  readonly stored: StoredEvent;
  readonly event: RecordedEvent;
}

/** The runs that an event asks for. */
export type RunsAsked = (event: RecordedEvent) => readonly RunName[];

/** The runs that streams ask for by these requests, and all runs below them. */
export function runsBelow(requests: readonly RunRequests[]): RunsAsked {
  return (event) => {
    if (event.type === 'ChildStarted') return [(event as RecordedEvent<ChildStarted>).data];
    return requests.flatMap(({ workflow, askedBy }) => {
      const runId = askedBy(event);
      return runId === undefined ? [] : [{ workflow, runId }];
    });
  };
}

/**
 * The events of these streams and of the runs that are asked for in them, in log order. One event of each stream that is not read
 * to its end is held.
 * @param asked the runs of an event whose streams are read too: they begin after that event
 * @param after leaves out what is not after this position
 * @throws UndecodableEvent @throws StoreUnavailable @throws TooManyReaders
 */
export async function* mergedEvents(
  log: EventLog,
  streams: readonly string[],
  asked: RunsAsked,
  after = '',
): AsyncGenerator<MergedEvent> {
  const open = new Set<Opened>();
  const begun = new Set<string>();
  const begin = async (stream: string) => {
    if (begun.has(stream)) return;
    begun.add(stream);
    const rest = log.eachStored(stream);
    const first = await rest.next();
    if (!first.done) open.add({ next: await decoded(log, first.value), rest });
  };
  for (const stream of streams) await begin(stream);
  for (let first = firstOf(open); first; first = firstOf(open)) {
    const { next } = first;
    if (next.event.position > after) yield next;
    for (const { workflow, runId } of asked(next.event)) await begin(log.streams.of(workflow, runId));
    await advance(log, first, open);
  }
}

/** A stream that is read, with its next event. */
interface Opened {
  next: MergedEvent;
  readonly rest: AsyncGenerator<StoredEvent>;
}

async function advance(log: EventLog, opened: Opened, open: Set<Opened>): Promise<void> {
  const { value, done } = await opened.rest.next();
  if (done) open.delete(opened);
  else opened.next = await decoded(log, value);
}

async function decoded(log: EventLog, stored: StoredEvent): Promise<MergedEvent> {
  return { stored, event: await log.decodeWithin(stored) };
}

function firstOf(open: ReadonlySet<Opened>): Opened | undefined {
  let first: Opened | undefined;
  for (const one of open) if (!first || one.next.event.position < first.next.event.position) first = one;
  return first;
}
