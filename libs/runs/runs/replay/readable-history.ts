import { type Digest, isInTexts, type StoredEvent, UndecodableEvent } from '#lib/event-store';
import type { Event, RecordedEvent } from '#lib/kernel';
import { type Divergence, locationOf } from '#lib/workflow';
import type { ReplayedLog } from './read-ahead.js';
import type { Verification } from './replay-report.js';

/** A stream up to the first event that cannot be read, and the damage there. */
export interface ReadableHistory<E extends Event = Event> {
  readonly events: readonly RecordedEvent<E>[];
  readonly damage?: Divergence;
  readonly digest?: Digest;
}

/**
 * Reads a stream for verification. An event or blob that is missing or cannot be decoded is a divergence, never a crash.
 * @throws KeyMissing @throws StoreUnavailable
 */
export async function readableHistory<E extends Event>(
  log: ReplayedLog,
  stream: string,
): Promise<ReadableHistory<E>> {
  const events: RecordedEvent<E>[] = [];
  const damage = await readInto(events, log, stream);
  const digest = await log.keys.digestOf(events[0]?.metadata.keyId);
  return { events, digest, ...(damage && { damage }) };
}

/** @returns the damage at which reading stops */
async function readInto<E extends Event>(
  events: RecordedEvent<E>[],
  log: ReplayedLog,
  stream: string,
): Promise<Divergence | undefined> {
  for (const stored of await log.store.readStream(stream)) {
    if (stored.revision !== events.length) return missing(stored, events.length);
    try {
      const needs = log.codec.needsOf(stored);
      events.push(isInTexts(needs) ? log.codec.decode<E>(stored) : await log.decode<E>(stored, needs));
    } catch (error) {
      if (!(error instanceof UndecodableEvent)) throw error;
      return { ...locationOf(stored), pointer: '', recorded: error.message, replayed: undefined };
    }
  }
  return undefined;
}

function missing(stored: StoredEvent, revision: number): Divergence {
  return { ...locationOf(stored), pointer: '/revision', recorded: stored.revision, replayed: revision };
}

/** The verification of a stream whose subject was erased, which only checks that all its events are there; `undefined` for other streams. */
export function verifiedErased({ events, damage }: ReadableHistory): Verification | undefined {
  if (!events.some(({ metadata }) => metadata.erased)) return undefined;
  return { derived: 0, given: events.length, erased: true, open: false, divergence: damage };
}
