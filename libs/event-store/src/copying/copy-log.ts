import { appendSize, LARGEST_APPEND } from '../append-size.js';
import type { EventStore, StoredEvent } from '../event-store.js';
import { appendCopies } from './append-copies.js';
import { blobStreamsOf } from './blob-streams-of.js';
import { copiedUntil } from './copied-until.js';
import { CopyRefused } from './copy-refused.js';
import { logPages } from './log-pages.js';
import type { LogPair } from './log-pair.js';

/**
 * Copies the streams of one prefix to another log, in log order, each event as it is: the same stream, revision, id and texts.
 * Positions become the target's own. What was copied before is found by the target's last event and not copied again, so a
 * copy may be cut off anywhere and begun anew. Large bodies go before the event that refers to them.
 *
 * Appends wait for each other: that the target's last event says how far it came is worth more than speed.
 * @returns how many events were copied now
 * @throws CopyRefused when the target holds something else under the prefix, or is the source
 * @throws StoreUnavailable; calling it again goes on
 */
export async function copyLog({ source, target, names, until, onProgress }: LogPair): Promise<number> {
  if (source.logId === target.logId) throw sameLog();
  const after = await copiedUntil(source, target, names);
  if (until === undefined) return 0;
  let copied = 0;
  const blobs = new Set<string>();
  for await (const page of logPages(source, names, { after, until })) {
    for (const run of runsOf(page)) {
      for (const stream of run.flatMap((event) => blobStreamsOf(names, event))) {
        if (!blobs.has(stream)) await copyStream(source, target, stream);
        blobs.add(stream);
      }
      await appendCopies(target, run);
    }
    copied += page.length;
    onProgress?.(copied);
  }
  return copied;
}

async function copyStream(source: EventStore, target: EventStore, stream: string): Promise<void> {
  for (const run of runsOf(await source.readStream(stream))) await appendCopies(target, run);
}

/** Events that follow each other in one stream, together as far as they fit into one append. */
function runsOf(events: readonly StoredEvent[]): readonly (readonly StoredEvent[])[] {
  const runs: StoredEvent[][] = [];
  let bytes = 0;
  for (const event of events) {
    const size = appendSize(event.stream, [event]);
    const run = runs.at(-1);
    bytes += size;
    if (run?.at(-1)?.stream === event.stream && bytes <= LARGEST_APPEND) run.push(event);
    else {
      runs.push([event]);
      bytes = size;
    }
  }
  return runs;
}

function sameLog(): CopyRefused {
  return new CopyRefused(
    'the log cannot be copied',
    'source and target are the same log, or one is a backup of the other',
    'Name another target; without --from the source is the log that the settings name',
  );
}
