import type { EventLog } from '#lib/event-store';
import type { RecordedEvent } from '#lib/kernel';

/** Waits for the first event of the log, from its start on, that is meant. Ends with the test's own time limit. */
export async function untilEvent(
  log: EventLog,
  isMeant: (event: RecordedEvent) => boolean,
): Promise<RecordedEvent> {
  const patience = new AbortController();
  try {
    for await (const batch of log.store.subscribe(undefined, patience.signal)) {
      const found = (await log.decodeAll(batch)).find(isMeant);
      if (found) return found;
    }
  } finally {
    patience.abort();
  }
  throw new Error('The log was closed before the event came.');
}
