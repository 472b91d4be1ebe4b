import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { FoldTaker } from '../loop/fold-taker.js';
import { models } from '../models.js';
import { LogEvent } from '../runner/log-reader.js';
import type { ReadStore } from '../store/read-store.js';
import { dumpRows } from './dump-rows.js';
import { histories } from './random-history.js';
import { appendAll } from './sample-log.js';
import { loopOf } from './loop-of.js';
import type { TestParts } from './test-parts.js';

interface Runs {
  readonly batchRuns: number;
  readonly restartRuns: number;
}

/** Rows depend on the log alone: tested with random logs on every read store. */
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
            const events = (await parts.log.store.readAll({ limit: 10_000 })).map(
              (stored) => new LogEvent(stored, parts.log),
            );
            const whole = await parts.openStore('whole.db');
            const shared = [await parts.openStore()];
            while (shared.length < runners) shared.push(await parts.openStore());
            for (const store of [whole, ...shared]) await parts.runner(store).prepare();
            await foldInPages(parts, [whole], events, [10_000]);
            await foldInPages(parts, shared, events, sizes);
            const [first] = shared;
            expect(first && (await dumpRows(first, models))).toEqual(await dumpRows(whole, models));
          } finally {
            await parts.close();
          }
        },
      );
      await fc.assert(property, { numRuns: batchRuns });
    });

    it('gives the same rows after stops, restarts and a rebuild at any time', async () => {
      // The time depends on the number of restarts, not on the length of the history.
      const restarts = fc.integer({ min: 1, max: 8 });
      const rebuilding = fc.constantFrom(...models);
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
              const runners = [parts.runner(store), parts.runner(other)];
              for (const runner of runners) await runner.start();
              await appendAll(parts.log, history.slice(from, from + size), from);
              await runners[0]?.rebuild(name);
              for (const runner of runners) await runner.stop();
              // A PostgreSQL server takes about a hundred connections, and each store up to eleven.
              await other.close();
            }
            const last = parts.runner(store);
            await last.start();
            await last.caughtUpWithHead(20_000);
            const clean = await parts.openStore('clean.db');
            const once = parts.runner(clean);
            await once.start();
            await once.caughtUpWithHead(20_000);
            expect(await dumpRows(store, models)).toEqual(await dumpRows(clean, models));
          } finally {
            await parts.close();
          }
        },
      );
      // An example takes seconds: shrinking would last until the time limit, which then hides the failure.
      await fc.assert(property, { numRuns: restartRuns, endOnFailure: true });
    });
  });
}

async function foldInPages(
  parts: TestParts,
  stores: readonly ReadStore[],
  events: readonly LogEvent[],
  sizes: readonly number[],
): Promise<void> {
  const takers = stores.map((store) => new FoldTaker(loopOf(models), 'served', { log: parts.log, store }));
  for (let turn = 0; ; turn++) {
    await Promise.all(takers.map((one) => one.load()));
    const from = takers[0]?.reached ?? '';
    const page = events.filter(({ stored }) => stored.position > from).slice(0, sizes[turn % sizes.length]);
    if (page.length === 0) return;
    const places = takers.map(({ place }) => place);
    const results = await Promise.all(takers.map((one) => one.take(page)));
    const kept = takers.filter(({ place }, at) => place !== places[at]).length;
    // One process stores the rows of a page. Another one notices that, or has read these rows, so that its page changes none, and
    // its place stays.
    expect(kept).toBeLessThanOrEqual(1);
    // Each takes a page without rows.
    expect(results.filter(Boolean).length).toBeGreaterThanOrEqual(kept === 0 ? takers.length : 1);
    for (const one of takers) await one.store();
  }
}
