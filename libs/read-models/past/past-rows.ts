import type { EventLog } from '#lib/event-store';
import type { MergedEvent } from '#lib/workflow';
import type { LoopModels, ReadModel } from '../loop/declare.js';
import { FoldTaker } from '../loop/fold-taker.js';
import { createLoops, firstSlot } from '../loop/loop-tables.js';
import { StreamStandsStill } from '../loop/still-rows.js';
import { LogEvent } from '../runner/log-reader.js';
import { openMemoryReadStore } from '../store/open-sqlite-read-store.js';
import type { ReadStore } from '../store/read-store.js';

/** Events of one page, if none of them has blobs. */
const PAGE = 128;

/**
 * Folds these events into the rows of these models, in a read store of their own, which the caller closes.
 * @param names of the requested models
 * @param events in log order; one page of them is held
 * @throws StreamStandsStill if some events cannot be folded: rows would be missing
 * @throws EventNotProjected @throws StoreUnavailable
 */
export async function pastRows(
  log: EventLog,
  { name, models }: LoopModels,
  names: readonly string[],
  events: AsyncIterable<MergedEvent>,
): Promise<ReadStore> {
  const store = openMemoryReadStore();
  try {
    const folds = new FoldTaker({ name, models: withSeen(models, names) }, 'served', { log, store });
    await store.write(createLoops);
    await store.write(firstSlot(folds.name, folds.slot('a')));
    await folds.load();
    let page: LogEvent[] = [];
    const take = async () => {
      await folds.take(page);
      page = [];
    };
    for await (const { stored, event } of events) {
      page.push(new LogEvent(stored, log, event));
      if (page.length === PAGE || log.codec.blobsOf(stored).length > 0) await take();
    }
    if (page.length > 0) await take();
    const [still] = folds.still.all;
    if (still) throw new StreamStandsStill(still);
    return store;
  } catch (error) {
    await store.close();
    throw error;
  }
}

/** These models, and those that their folds or queries see. */
function withSeen(all: readonly ReadModel[], names: readonly string[]): readonly ReadModel[] {
  const wanted = new Set(names);
  for (const { name, sees = [] } of all.toReversed()) {
    if (wanted.has(name)) for (const seen of sees) wanted.add(seen);
  }
  return all.filter(({ name }) => wanted.has(name));
}
