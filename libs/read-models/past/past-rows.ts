import type { EventLog } from '#lib/event-store';
import type { MergedEvent } from '#lib/workflow';
import { FoldTaker, type LoopModels } from '../loop/fold-taker.js';
import { createLoops, firstSlot } from '../loop/loop-tables.js';
import { prepareProjections } from '../runner/checkpoints.js';
import type { EventTaker } from '../runner/event-taker.js';
import { LogEvent } from '../runner/log-reader.js';
import type { Projection } from '../runner/projection.js';
import { ProjectionTaker } from '../runner/projection-taker.js';
import { openMemoryReadStore } from '../store/open-sqlite-read-store.js';
import type { ReadStore } from '../store/read-store.js';

/** Events that become rows together, if none of them has parts that are stored apart from it. */
const PAGE = 128;

/** Everything that makes rows. */
export interface RowMakers {
  readonly projections: readonly Projection[];
  readonly models: LoopModels;
}

/**
 * The rows that these events give, by the same projections and folds as those of the whole log, in a read store of their own: to be
 * closed by the caller.
 * @param names of the projections and models whose rows are wanted
 * @param events in log order; a page of them is held at once
 * @throws EventNotProjected @throws StoreUnavailable
 */
export async function pastRows(
  log: EventLog,
  { projections, models: { name, models } }: RowMakers,
  names: readonly string[],
  events: AsyncIterable<MergedEvent>,
): Promise<ReadStore> {
  const store = openMemoryReadStore();
  try {
    const wanted = { name, models: models.filter((model) => names.includes(model.name)) };
    const takers = await prepared(log, store, {
      projections: projections.filter((projection) => names.includes(projection.name)),
      models: wanted,
    });
    let page: LogEvent[] = [];
    const take = async () => {
      for (const taker of takers) await taker.take(page);
      page = [];
    };
    for await (const { stored, event } of events) {
      page.push(new LogEvent(stored, log, event));
      if (page.length === PAGE || log.codec.blobsOf(stored).length > 0) await take();
    }
    if (page.length > 0) await take();
    return store;
  } catch (error) {
    await store.close();
    throw error;
  }
}

async function prepared(
  log: EventLog,
  store: ReadStore,
  { projections, models }: RowMakers,
): Promise<readonly EventTaker[]> {
  const takers: EventTaker[] = projections.map(
    (projection) => new ProjectionTaker(projection, store, () => undefined),
  );
  await store.write(prepareProjections(projections));
  if (models.models.length > 0) {
    const folds = new FoldTaker(models, 'served', { log, store });
    await store.write(createLoops);
    await store.write(firstSlot(folds.name, folds.slot('a')));
    takers.push(folds);
  }
  for (const taker of takers) await taker.load();
  return takers;
}
