import type { EventStore, Position, StoredEvent } from '#lib/event-store';

/** Events as they come. */
export interface Followed {
  /** Resolves once all events that were in the log at the call are taken, and takes no more. */
  end(): Promise<void>;
}

/**
 * Takes every event of the log in its order, as any process appends it.
 * @param after where to begin in the log; `undefined`: at its start
 * @param begin done before the first event is taken
 */
export function followEvents(
  store: EventStore,
  after: Position | undefined,
  take: (stored: StoredEvent) => Promise<void>,
  begin: () => Promise<void> = () => Promise.resolve(),
): Followed {
  const stopping = new AbortController();
  let last = after;
  let until: Position | undefined;
  const following = (async () => {
    await begin();
    for await (const batch of store.subscribe(after, stopping.signal)) {
      for (const stored of batch) await take(stored);
      last = batch.at(-1)?.position ?? last;
      if (until !== undefined && (last ?? '') >= until) return;
    }
  })();
  // The caller that ends it gets the failure; until then it must not count as unhandled.
  following.catch(() => undefined);
  return {
    async end() {
      until = await store.head();
      if ((last ?? '') >= (until ?? '')) stopping.abort();
      await following;
    },
  };
}
