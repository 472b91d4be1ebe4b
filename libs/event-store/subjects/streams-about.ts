import { setImmediate } from 'node:timers/promises';
import { jsonText, parseJsonObject } from '#lib/kernel';
import type { EventLog } from '../event-log.js';
import type { Position } from '../position.js';

const PAGE = 1_000;
const MOST_READ_BYTES = 4 * 1024 * 1024;

/**
 * The streams of the log with an event about a subject, in the order of these events. No event is decrypted. An event with unreadable metadata is
 * skipped: the other events of its stream name the same subject.
 */
export async function streamsAbout({ store }: EventLog, subject: string): Promise<readonly string[]> {
  const found = new Set<string>();
  const named = `"keyId":${jsonText(subject)}`;
  for (let from: Position | undefined; ; await setImmediate()) {
    const page = await store.readAll({ limit: PAGE, bytes: MOST_READ_BYTES, ...(from && { from }) });
    for (const event of page) {
      if (event.metadata.includes(named) && parseJsonObject(event.metadata)?.['keyId'] === subject)
        found.add(event.stream);
    }
    from = page.at(-1)?.position;
    if (!from) return [...found];
  }
}
