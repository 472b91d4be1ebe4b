import { type LogLocation, openEventStore } from '#lib/engine/core';
import {
  compareLogs,
  copyLog,
  type EventStore,
  type LogComparison,
  StreamNames,
  withPatience,
} from '#lib/event-store';
import { assertExists } from './log-location.js';

/** For the first answer, which a person waits for. A copy that is under way outlasts an election. */
const OPEN_PATIENCE_MS = 10_000;

interface CopyRequest {
  readonly from: LogLocation;
  readonly to: LogLocation;
  readonly verifyOnly: boolean;
}

/** Called with the number of events that are done; each part of the work counts from zero. */
export type TellProgress = (doing: 'copied' | 'verified', events: number) => void;

export interface CopyReport extends LogComparison {
  /** Events that this run has copied; others were there already. */
  readonly copied: number;
  /** Whether the source has grown since this run began. */
  readonly sourceHasGrown: boolean;
}

/**
 * Copies a log up to where it ends now, and reads both logs whole afterwards to compare them.
 * @throws NoLog | CopyRefused | StoreUnavailable
 */
export async function copyAndVerify(
  { from, to, verifyOnly }: CopyRequest,
  tell: TellProgress,
): Promise<CopyReport> {
  for (const location of verifyOnly ? [from, to] : [from]) assertExists(location);
  const names = new StreamNames(from.streamPrefix);
  return withStore(from, (source) =>
    withStore(to, async (target) => {
      const pair = { source, target, names, until: await source.head() };
      const telling = (doing: 'copied' | 'verified') => ({
        onProgress: (events: number) => tell(doing, events),
      });
      const copied = verifyOnly ? 0 : await copyLog({ ...pair, ...telling('copied') });
      const comparison = await compareLogs({ ...pair, ...telling('verified') });
      return { copied, ...comparison, sourceHasGrown: (await source.head()) !== pair.until };
    }),
  );
}

async function withStore<T>(location: LogLocation, work: (store: EventStore) => Promise<T>): Promise<T> {
  const store = await withPatience(OPEN_PATIENCE_MS, () => openEventStore(location));
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}
