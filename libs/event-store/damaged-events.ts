import { cannotBeRead } from './cannot-be-read.js';
import { logEvents } from './copying/log-pages.js';
import { type UndecodableEvent, UnknownEvent } from './event-codec.js';
import type { EventLog } from './event-log.js';
import type { StoredEvent } from './event-store.js';
import type { StreamNames } from './stream-names.js';
import { KeyMissing } from './subjects/keyring.js';

/** The result of reading every event of a log. */
interface CheckedEvents {
  readonly damaged: readonly UndecodableEvent[];
  /** The reason why the content of some events could not be read, for the first of them. */
  readonly missing?: KeyMissing;
}

/**
 * The events of the log that cannot be read, in log order, at most `most` of them. Each event is decoded with its blobs. An event of an unknown type
 * or version is not damaged: a newer version wrote it, or an application with workflows of its own. Events of other applications on the same server
 * are skipped.
 */
export async function damagedEvents(log: EventLog, most: number): Promise<CheckedEvents> {
  const damaged: UndecodableEvent[] = [];
  let missing: KeyMissing | undefined;
  for await (const stored of logEvents(log.store, log.streams, { has: isOurs })) {
    const why = await whyUnread(log, stored);
    if (why instanceof KeyMissing) missing ??= why;
    else if (why && !(why instanceof UnknownEvent)) damaged.push(why);
    if (damaged.length === most) break;
  }
  return { damaged, ...(missing && { missing }) };
}

/** Includes the streams of the log itself, because a start reads them. */
function isOurs(names: StreamNames, stream: string): boolean {
  return names.parse(stream) !== undefined;
}

async function whyUnread(
  log: EventLog,
  stored: StoredEvent,
): Promise<UndecodableEvent | KeyMissing | undefined> {
  try {
    await log.decode(stored);
    return undefined;
  } catch (error) {
    if (cannotBeRead(error)) return error;
    throw error;
  }
}
