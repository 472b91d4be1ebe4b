import {
  decideAppend,
  type EventToStore,
  type ExpectedRevision,
  RevisionConflict,
  type StoredEvent,
  type StreamView,
} from '#lib/event-store';

/** A stream, with a read from a revision on and an append at a stated revision. */
interface OneStream<Result> {
  readonly name: string;
  readonly readFrom: (revision: number) => Promise<readonly StoredEvent[]>;
  readonly appendAfter: (revision: number | undefined) => Promise<Result>;
}

/**
 * An append that states no revision. Reads the stream to see if the append is a repeat; if not, appends right after the events that were read. If
 * another writer was first, the next round reads only the new events.
 * @throws RevisionConflict @throws StoreUnavailable
 */
export async function appendByIds<Result>(
  stream: OneStream<Result>,
  expected: ExpectedRevision,
  events: readonly EventToStore[],
): Promise<Result | StoredEvent> {
  const ids = events.map(({ eventId }) => eventId);
  const seen: StoredEvent[] = [];
  for (;;) {
    seen.push(...(await stream.readFrom((seen.at(-1)?.revision ?? -1) + 1)));
    const view = viewOf(seen);
    const decision = decideAppend(expected, ids, view);
    if (decision.kind === 'conflict') throw new RevisionConflict(stream.name, expected, view.lastRevision);
    const last = decision.first + events.length - 1;
    const stored = seen.find(({ revision }) => revision === last);
    if (decision.kind === 'stored' && stored) return stored;
    try {
      return await stream.appendAfter(view.lastRevision);
    } catch (error) {
      if (!(error instanceof RevisionConflict)) throw error;
    }
  }
}

function viewOf(seen: readonly StoredEvent[]): StreamView {
  const revisions = new Map(seen.map(({ eventId, revision }) => [eventId, revision]));
  const ids = new Map(seen.map(({ eventId, revision }) => [revision, eventId]));
  return {
    lastRevision: seen.at(-1)?.revision,
    idAt: (revision) => ids.get(revision),
    revisionOf: (eventId) => revisions.get(eventId),
  };
}
