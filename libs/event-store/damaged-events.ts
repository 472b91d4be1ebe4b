import { logEvents } from './copying/log-pages.js';
import { UndecodableEvent, UnknownEvent } from './event-codec.js';
import type { EventLog } from './event-log.js';
import type { StoredEvent } from './event-store.js';

/**
 * The events of the log that cannot be read, in log order, at most `most` of them. Each event is decoded with its blobs. One of a type or
 * version that is not known here is not damage: a newer version has written it, or an application with workflows of its own. Events of
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
    if (error instanceof UnknownEvent) return undefined;
    if (error instanceof UndecodableEvent) return error;
    throw error;
  }
}
