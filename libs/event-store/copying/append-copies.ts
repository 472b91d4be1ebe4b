import { RedialError } from '#lib/kernel';
import { RevisionConflict } from '../errors.js';
import type { EventStore, EventToStore, StoredEvent } from '../event-store.js';
import { sameEvent } from './log-pair.js';

/** The target cannot take this copy: it has other events under the prefix, or it is the source itself. */
export class CopyRefused extends RedialError {}

export function holdsOther(stream: string, revision: number, why: string): CopyRefused {
  return new CopyRefused(
    `cannot copy over ${stream} revision ${revision} of the target`,
    why,
    'Copy to a target without a log of this prefix: another file, or another server. The events of the target were not changed',
  );
}

/**
 * Appends successive events of one stream, at the revisions they have. Events that are there already stay, so a copy that was cut off, or runs twice
 * at once, writes no event twice.
 * @throws CopyRefused if the target has other events at these revisions
 */
export async function appendCopies(target: EventStore, events: readonly StoredEvent[]): Promise<void> {
  let rest = events;
  while (rest[0]) {
    const { stream, revision } = rest[0];
    try {
      await target.append(stream, revision === 0 ? 'no-stream' : revision - 1, rest.map(toStore));
      return;
    } catch (error) {
      if (!(error instanceof RevisionConflict)) throw error;
      rest = await withoutStored(target, rest, error);
    }
  }
}

/** Only the members that are copied: a store may drop members that it does not know. */
function toStore({ eventId, type, data, metadata }: StoredEvent): EventToStore {
  return { eventId, type, data, metadata };
}

/** The events that the target lacks. @throws CopyRefused if the events before them differ */
async function withoutStored(
  target: EventStore,
  events: readonly StoredEvent[],
  { actual }: RevisionConflict,
): Promise<readonly StoredEvent[]> {
  const [first] = events;
  if (!first) return [];
  const stored = await target.readStream(first.stream, { from: first.revision, limit: events.length });
  if (stored.length === 0)
    throw holdsOther(
      first.stream,
      first.revision,
      `the target lacks earlier events of this stream: it ends there at ${actual ?? 'no event'}`,
    );
  const other = stored.find((event, index) => !sameEvent(event, events[index] ?? event));
  if (other) throw holdsOther(other.stream, other.revision, 'it is not the event that the source has there');
  return events.slice(stored.length);
}
