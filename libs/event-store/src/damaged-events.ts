import { logEvents } from './copying/log-pages.js';
import { UndecodableEvent } from './event-codec.js';
import type { EventLog } from './event-log.js';
import type { StoredEvent } from './event-store.js';

/**
 * The events of the log that this build cannot read, in log order, at most so many. Each event is decoded with its blobs; events of
 * other applications on the same server are passed over.
 */
export async function damagedEvents(log: EventLog, most: number): Promise<readonly UndecodableEvent[]> {
  const found: UndecodableEvent[] = [];
  for await (const stored of logEvents(log.store, log.streams, {})) {
    const error = await damageOf(log, stored);
    if (error) found.push(error);
    if (found.length === most) break;
  }
  return found;
}

async function damageOf(log: EventLog, stored: StoredEvent): Promise<UndecodableEvent | undefined> {
  try {
    await log.decode(stored);
    return undefined;
  } catch (error) {
    if (error instanceof UndecodableEvent) return error;
    throw error;
  }
}
