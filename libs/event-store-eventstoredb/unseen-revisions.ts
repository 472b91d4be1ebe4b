import type { ReadStreamOptions, StoredEvent } from '#lib/event-store';

/** The oldest are dropped first: revisions that were named so long ago can be read. */
const MOST_STREAMS = 10_000;

/**
 * Revisions that the server has named in conflicts and acknowledgements and that no read has shown yet. The server names an event before readers can
 * see it.
 */
export class UnseenRevisions {
  readonly #revisions = new Map<string, number>();

  constructor(private readonly most = MOST_STREAMS) {}

  note(stream: string, revision: number): void {
    const noted = this.#revisions.get(stream) ?? -1;
    this.#revisions.delete(stream);
    this.#revisions.set(stream, Math.max(noted, revision));
    if (this.#revisions.size <= this.most) return;
    for (const oldest of this.#revisions.keys()) {
      this.#revisions.delete(oldest);
      return;
    }
  }

  /** Whether events of the stream exist that a read with these options should have given. */
  areMissing(stream: string, options: ReadStreamOptions, events: readonly StoredEvent[]): boolean {
    const named = this.#revisions.get(stream);
    if (named === undefined) return false;
    const [shown, needed] = shownAndNeeded(named, options, events);
    if (shown >= named) this.#revisions.delete(stream);
    return shown < needed;
  }
}

/** The newest revision that the read gave, and the one that it had to give. */
function shownAndNeeded(
  named: number,
  { from, direction, limit }: ReadStreamOptions,
  events: readonly StoredEvent[],
): readonly [shown: number, needed: number] {
  if (direction === 'backwards') return [events[0]?.revision ?? -1, Math.min(from ?? named, named)];
  const isFull = events.length === limit || (from ?? 0) > named;
  return [events.at(-1)?.revision ?? -1, isFull ? -1 : named];
}
