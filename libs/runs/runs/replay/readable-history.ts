import { type StoredEvent, UndecodableEvent } from '#lib/event-store';
import type { Event, RecordedEvent } from '#lib/kernel';
import type { Divergence } from '#lib/workflow';
import type { ReplayedLog } from './read-ahead.js';

/** A stream as far as it can be read, and what stops the reading there. */
export interface ReadableHistory<E extends Event = Event> {
  readonly events: readonly RecordedEvent<E>[];
  readonly damage?: Divergence;
}

/**
 * Reads a stream for verification: an event that is missing or cannot be decoded, or a blob of one, is a divergence, never a
 * crash.
 */
export async function readableHistory<E extends Event>(
  log: ReplayedLog,
  stream: string,
): Promise<ReadableHistory<E>> {
  const events: RecordedEvent<E>[] = [];
  for (const stored of await log.store.readStream(stream)) {
    if (stored.revision !== events.length) return { events, damage: missing(stored, events.length) };
    try {
      const hasBlobs = log.codec.blobsOf(stored).length > 0;
      events.push(hasBlobs ? await log.decode<E>(stored) : log.codec.decode<E>(stored));
    } catch (error) {
      if (!(error instanceof UndecodableEvent)) throw error;
      return {
        events,
        damage: { ...placeOf(stored), pointer: '', recorded: error.message, replayed: undefined },
      };
    }
  }
  return { events };
}

function missing(stored: StoredEvent, revision: number): Divergence {
  return { ...placeOf(stored), pointer: '/revision', recorded: stored.revision, replayed: revision };
}

function placeOf({ stream, revision, type }: StoredEvent) {
  return { stream, revision, type };
}
