import {
  decideAppend,
  type EventToStore,
  type ExpectedRevision,
  RevisionConflict,
  type StoredEvent,
  type StreamView,
} from '#lib/event-store';

/** The stream, to be read from a revision on, and to be appended to at a stated one. */
interface OneStream<Result> {
  readonly name: string;
  readonly readFrom: (revision: number) => Promise<readonly StoredEvent[]>;
  readonly appendAfter: (revision: number | undefined) => Promise<Result>;
}

/**
 * An append that states no revision: looks at the stream whether it is a repeat, and if not appends right after what was
 * seen. A round that is lost was won by another writer; the next one reads only what is new.
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
