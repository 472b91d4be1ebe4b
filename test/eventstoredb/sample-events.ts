import { randomUUID } from 'node:crypto';
import { type EventStore, type EventToStore, type StoredEvent, StoreUnavailable } from '#lib/event-store';

export function anEvent(data = '{}'): EventToStore {
  return { eventId: randomUUID(), type: 'ThingHappened', data, metadata: '{"by":"test"}' };
}

export function someEvents(count: number): EventToStore[] {
  return Array.from({ length: count }, (_, n) => anEvent(`{"n":${n}}`));
}

/** Follows the log until it has seen so many events. Fails by the test's time limit. */
export async function follow(store: EventStore, count: number): Promise<readonly StoredEvent[]> {
  const seen: StoredEvent[] = [];
  const stop = new AbortController();
  for await (const batch of store.subscribe(undefined, stop.signal)) {
    seen.push(...batch);
    if (seen.length >= count) break;
  }
  stop.abort();
  return seen;
}

/**
 * Repeats an append whose outcome is unknown: on a busy machine a server may take longer than the store waits.
 * @param final words of a failure that is not repeated
 */
export async function untilStored<T>(append: () => Promise<T>, final?: RegExp): Promise<T> {
  for (;;) {
    try {
      return await append();
    } catch (error) {
      if (!(error instanceof StoreUnavailable) || final?.test(error.message) === true) throw error;
    }
  }
}

const SILENCE = /gave no answer within/;

/** Why it fails. Once more where the server did not answer in time, as on a busy machine: that says nothing about why. */
export async function failureOf(work: () => Promise<unknown>): Promise<unknown> {
  for (;;) {
    const error = await work().then(
      () => undefined,
      (caught: unknown) => caught,
    );
    if (!SILENCE.test(String(error))) return error;
  }
}
