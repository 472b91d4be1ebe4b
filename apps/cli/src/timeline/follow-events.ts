import type { EventStore, Position, StoredEvent } from '#lib/event-store';

/** Events as they come. */
export interface Followed {
  /** Resolves once all events that were in the log at the call are taken; takes no more. */
  end(): Promise<void>;
}

/**
 * Takes every event of the log in its order, from any process.
 * @param after the position after which it begins; `undefined`: the start of the log
 * @param begin called before the first event is taken
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
  // The caller of `end` gets the failure; until then it must not count as unhandled.
  following.catch(() => undefined);
  return {
    async end() {
      until = await store.head();
      if ((last ?? '') >= (until ?? '')) stopping.abort();
      await following;
    },
  };
}
