import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { parsePosition } from '#lib/event-store';
import { models, projections } from '../projections.js';
import { LogEvent } from '../runner/log-reader.js';
import { Progress } from '../runner/progress.js';
import { projectBatch } from '../runner/project-batch.js';
import type { Projection } from '../runner/projection.js';
import type { ReadStore } from '../store/read-store.js';
import { dumpRows } from './dump-rows.js';
import { histories } from './random-history.js';
import { appendAll } from './sample-log.js';
import type { TestParts } from './test-parts.js';

interface Runs {
  readonly batchRuns: number;
  readonly restartRuns: number;
}

/** Rows depend on the log alone: what is shown of every read store with random logs. */
export function describeRowsContract(
  name: string,
  makeParts: () => TestParts,
  { batchRuns, restartRuns }: Runs,
): void {
  describe(`rows contract: ${name}`, () => {
    it('gives the same rows for any batches and any number of runners', async () => {
      const property = fc.asyncProperty(
        histories(),
        fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 1, maxLength: 5 }),
        fc.integer({ min: 1, max: 3 }),
        async (history, sizes, runners) => {
          const parts = makeParts();
          try {
            await appendAll(parts.log, history);
            const whole = await parts.openReady(projections, 'whole.db');
            const shared = [await parts.openReady()];
            while (shared.length < runners) shared.push(await parts.openStore());
            for (const projection of projections) {
              await projectInBatches(parts, [whole], projection, [10_000]);
              await projectInBatches(parts, shared, projection, sizes);
            }
            const [first] = shared;
            expect(first && (await dumpRows(first, projections))).toEqual(await dumpRows(whole, projections));
          } finally {
            await parts.close();
          }
        },
      );
      await fc.assert(property, { numRuns: batchRuns });
    });

    it('gives the same rows after stops, restarts and a rebuild at any time', async () => {
      // The number of restarts takes the time, not the length of the history.
      const restarts = fc.integer({ min: 1, max: 8 });
      const all = [...projections, ...models];
      const rebuilding = fc.constantFrom(...all);
      const property = fc.asyncProperty(
        histories(),
        restarts,
        rebuilding,
        async (history, times, { name }) => {
          const parts = makeParts();
          const size = Math.max(1, Math.ceil(history.length / times));
          try {
            const store = await parts.openStore();
            for (let from = 0; from < history.length; from += size) {
              const other = await parts.openStore();
              const runners = [parts.runner(store, all), parts.runner(other, all)];
              for (const runner of runners) await runner.start();
              await appendAll(parts.log, history.slice(from, from + size), from);
              await runners[0]?.rebuild(name);
              for (const runner of runners) await runner.stop();
              // A PostgreSQL server takes about a hundred connections, and each store has up to eleven.
              await other.close();
            }
            const last = parts.runner(store, all);
            await last.start();
            await last.caughtUpWithHead(20_000);
            const clean = await parts.openStore('clean.db');
            const once = parts.runner(clean, all);
            await once.start();
            await once.caughtUpWithHead(20_000);
            expect(await dumpRows(store, all)).toEqual(await dumpRows(clean, all));
          } finally {
            await parts.close();
          }
        },
      );
      // An example takes seconds: a smaller one would be searched for until the time limit, which then hides the failure.
      await fc.assert(property, { numRuns: restartRuns, endOnFailure: true });
    });
  });
}

async function projectInBatches(
  parts: TestParts,
  stores: readonly ReadStore[],
  projection: Projection,
  sizes: readonly number[],
): Promise<void> {
  const head = await parts.log.store.head();
  if (head === undefined) return;
  for (let turn = 0; ; turn++) {
    const runners = stores.map((store) => new Progress(store, projection));
    await Promise.all(runners.map((one) => one.load()));
    const from = runners[0]?.reached ?? '';
    if (from >= head) return;
    const limit = sizes[turn % sizes.length] ?? 1;
    const stored = await parts.log.store.readAll({
      limit,
      ...(from === '' ? {} : { from: parsePosition(parts.log.store.logId, from) }),
    });
    const batch = stored.map((event) => new LogEvent(event, parts.log));
    const results = await Promise.all(runners.map((progress) => projectBatch(progress, batch)));
    // One keeps rows; each takes a batch without any.
    expect([1, runners.length]).toContain(results.filter(Boolean).length);
    for (const one of runners) await one.store();
  }
}
