import type { EventLog } from '#lib/event-store';
import type { MergedEvent } from '#lib/workflow';
import type { LoopModels, ReadModel } from '../loop/declare.js';
import { FoldTaker } from '../loop/fold-taker.js';
import { createLoops, firstSlot } from '../loop/loop-tables.js';
import { StreamStandsStill } from '../loop/still-rows.js';
import { LogEvent } from '../runner/log-reader.js';
import { openMemoryReadStore } from '../store/open-sqlite-read-store.js';
import type { ReadStore } from '../store/read-store.js';

/** Events that become rows together, if none of them has parts that are stored apart from it. */
const PAGE = 128;

/**
 * The rows that these events give, by the same folds as those of the whole log, in a read store of their own: to be closed by the
 * caller.
 * @param names of the models whose rows are wanted
 * @param events in log order; a page of them is held at once
 * @throws StreamStandsStill if some of them cannot become rows: what is there would be short
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

/** These models, and those whose documents their folds or queries see. */
function withSeen(all: readonly ReadModel[], names: readonly string[]): readonly ReadModel[] {
  const wanted = new Set(names);
  for (const { name, sees = [] } of all.toReversed()) {
    if (wanted.has(name)) for (const seen of sees) wanted.add(seen);
  }
  return all.filter(({ name }) => wanted.has(name));
}
