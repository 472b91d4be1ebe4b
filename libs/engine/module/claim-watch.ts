import { setTimeout as delay } from 'node:timers/promises';
import type { EventLog } from '#lib/event-store';
import type { LogReader } from '#lib/read-models';
import { LogClaimedElsewhere } from '#lib/workflow';

const RETRY_MS = 1_000;

interface Watched {
  readonly log: EventLog;
  readonly reader: LogReader;
  /** @throws LogClaimedElsewhere @throws StoreUnavailable */
  check(this: void): Promise<void>;
}

/**
 * Follows the claims of a log until the signal aborts, or until an operator has claimed it for another lease store.
 * @returns whether it was claimed for another store: engines of that store may run the log from now on
 */
export async function claimedElsewhere(
  { log, reader, check }: Watched,
  signal: AbortSignal,
): Promise<LogClaimedElsewhere | undefined> {
  const claims = log.streams.of('log', 'claims');
  while (!signal.aborted) {
    try {
      // The head is read first: a claim that comes after it is followed.
      const head = (await log.store.head()) ?? '';
      await check();
      for await (const page of reader.follow(head, signal))
        if (page.some(({ stored }) => stored.stream === claims)) await check();
    } catch (error) {
      if (error instanceof LogClaimedElsewhere) return error;
      await delay(RETRY_MS, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }
  return undefined;
}
