import { type EventLog, type StoredEvent, UndecodableEvent } from '#lib/event-store';
import type { Event, RecordedEvent } from '#lib/kernel';
import type { Divergence } from '#lib/workflow';

/** A stream as far as it can be read, and what stops the reading there. */
export interface ReadableHistory<E extends Event> {
  readonly events: readonly RecordedEvent<E>[];
  readonly damage?: Divergence;
}

/**
 * Reads a stream for verification: an event that is missing or cannot be decoded, or a blob of one, is a divergence, never a
 * crash.
 */
export async function readableHistory<E extends Event>(
  log: EventLog,
  stream: string,
): Promise<ReadableHistory<E>> {
  const events: RecordedEvent<E>[] = [];
  for (const stored of await log.store.readStream(stream)) {
    const decoded =
      stored.revision === events.length ? await decode<E>(log, stored) : missing(stored, events.length);
    if ('replayed' in decoded) return { events, damage: decoded };
    events.push(decoded);
  }
  return { events };
}

async function decode<E extends Event>(
  log: EventLog,
  stored: StoredEvent,
): Promise<RecordedEvent<E> | Divergence> {
  try {
    return await log.decode<E>(stored);
  } catch (error) {
    if (!(error instanceof UndecodableEvent)) throw error;
    return { ...placeOf(stored), pointer: '', recorded: error.message, replayed: undefined };
  }
}

function missing(stored: StoredEvent, revision: number): Divergence {
  return { ...placeOf(stored), pointer: '/revision', recorded: stored.revision, replayed: revision };
}

function placeOf({ stream, revision, type }: StoredEvent) {
  return { stream, revision, type };
}
