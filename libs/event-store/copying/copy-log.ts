import { appendSize, LARGEST_APPEND } from '../append-size.js';
import type { EventStore, StoredEvent } from '../event-store.js';
import { appendCopies, CopyRefused, holdsOther } from './append-copies.js';
import { blobStreamsOf, isCopied, type LogPair, sameEvent } from './log-pair.js';
import { logPages } from './log-pages.js';
import type { Position } from '../position.js';
import type { StreamNames } from '../stream-names.js';

const PAGE = 16;

/**
 * The position in the source of the last event that the target has; `undefined` if it has none. A copy appends in log order, one append after the
 * other, so the target has every event before that one, too.
 * @throws CopyRefused if the source does not have that event there
 */
async function copiedUntil(
  source: EventStore,
  target: EventStore,
  names: StreamNames,
): Promise<Position | undefined> {
  const last = await lastCopied(target, names);
  if (!last) return undefined;
  const [same] = await source.readStream(last.stream, { from: last.revision, limit: 1 });
  if (same && sameEvent(same, last)) return same.position;
  const why = same
    ? 'it is not the event that the source has there'
    : 'the source has no such event, so the target is not a copy of it, or was written to since';
  throw holdsOther(last.stream, last.revision, why);
}

async function lastCopied(target: EventStore, names: StreamNames): Promise<StoredEvent | undefined> {
  let from: Position | undefined;
  for (;;) {
    const page = await target.readAll({
      limit: PAGE,
      direction: 'backwards',
      ...(from !== undefined && { from }),
    });
    const found = page.find(({ stream }) => isCopied(names, stream));
    if (found || page.length === 0) return found;
    from = page.at(-1)?.position;
  }
}

/**
 * Copies the streams of one prefix to another log, in log order. Each event keeps its stream, revision, id and texts; its position is the target's
 * own. The target's last event shows which events were copied before; they are not copied again. So a copy may be interrupted at any event and
 * started again. Large bodies go before the event that refers to them.
 *
 * Each append waits for the one before. This is slower, but the target's last event then shows how far the copy came.
 * @returns the number of events that were copied now
 * @throws CopyRefused if the target has other events under the prefix, or is the source
 * @throws StoreUnavailable; another call continues the copy
 */
export async function copyLog({
  source,
  target,
  names,
  until,
  onBegin,
  onProgress,
}: LogPair): Promise<number> {
  if (source.logId === target.logId) throw sameLog();
  const after = await copiedUntil(source, target, names);
  if (until === undefined) return 0;
  await onBegin?.();
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

/** Groups successive events of one stream, as far as they fit into one append. */
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
