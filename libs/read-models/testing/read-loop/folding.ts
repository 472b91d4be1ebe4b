import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { facts } from '../../loop/declare.js';
import { ROWS_VERSION } from '../../loop/folded-table.js';
import { FoldTaker } from '../../loop/fold-taker.js';
import { LogEvent } from '../../runner/log-reader.js';
import type { ReadStore } from '../../store/read-store.js';
import { table } from '../../store/table.js';
import { closed, doorsModel, opened } from '../counted-doors.js';
import { appendAll } from '../sample-log.js';
import { loopOf } from '../loop-of.js';
import { type DoorsLoop, LONG_MS } from './doors-loop.js';

/** Events become the same rows, whatever the pages and the processes. */
export function describeFolding(loop: () => DoorsLoop): void {
  describe('folding', () => {
    it('folds what is in the log, then what comes, into rows of all kinds', async () => {
      const { parts, running, rowsIn } = loop();
      await appendAll(parts.log, [opened('a'), closed('a')]);
      const runner = await running();
      const position = await appendAll(parts.log, [opened('b', 'a'), opened('a')], 2);
      await runner.waitFor(['doors'], position, LONG_MS);
      expect(await rowsIn()).toEqual({
        doors: [
          { door_id: 'a', is_open: 1, changes: 3, last: 4, neighbour: null },
          { door_id: 'b', is_open: 1, changes: 1, last: 3, neighbour: 'a false' },
        ],
        openings: [
          { number: 1, door_id: 'a' },
          { number: 3, door_id: 'b' },
          { number: 4, door_id: 'a' },
        ],
        counts: [
          { is_open: 0, events: 1, latest: 2, door_id: 'a' },
          { is_open: 1, events: 3, latest: 4, door_id: 'a' },
        ],
      });
      const status = {
        name: 'doors',
        version: ROWS_VERSION,
        position,
        headPosition: position,
        lag: 0,
        status: 'live',
      };
      expect(await runner.status()).toEqual([status]);
    });

    it('gives the same rows for any pages, any number of processes, and restarts at any time', async () => {
      const { rowsIn, makeParts, runs } = loop();
      const ids = fc.constantFrom('a', 'b', 'c', 'constructor', 'd');
      const event = fc.oneof(fc.tuple(ids, fc.option(ids, { nil: undefined })), ids);
      const property = fc.asyncProperty(
        fc.array(event, { minLength: 1, maxLength: 60 }),
        fc.array(fc.tuple(fc.nat({ max: 2 }), fc.integer({ min: 1, max: 9 }), fc.boolean()), {
          minLength: 1,
        }),
        async (told, turns) => {
          const own = makeParts();
          try {
            const placed = told.map((one) => (typeof one === 'string' ? closed(one) : opened(...one)));
            await appendAll(own.log, placed);
            const events = (await own.log.store.readAll({ limit: 100 })).map(
              (one) => new LogEvent(one, own.log),
            );
            const [whole, shared] = [await own.openStore('whole.db'), await own.openStore()];
            for (const one of [whole, shared]) await own.runner(one, [doorsModel()]).prepare();
            const loop = loopOf([doorsModel()]);
            const takerOf = (on: ReadStore) => new FoldTaker(loop, 'served', { log: own.log, store: on });
            const all = takerOf(whole);
            await all.load();
            expect(await all.take(events)).toBe(true);
            const takers = [takerOf(shared), takerOf(shared), takerOf(shared)];
            for (let turn = 0, at = ''; at !== events.at(-1)?.stored.position; turn++) {
              const [who = 0, size = 1, isRestarted = false] = turns[turn % turns.length] ?? [];
              if (isRestarted) takers[who] = takerOf(shared);
              const taker = takers[who] as FoldTaker;
              await taker.load();
              const next = events.filter(({ stored }) => stored.position > taker.reached).slice(0, size);
              // Another process takes the same page, and one of the two is not stored.
              const other = takers[(who + 1) % 3] as FoldTaker;
              if (turn % 4 === 0) await other.load();
              const kept = await Promise.all([taker.take(next), turn % 4 === 0 && other.take(next)]);
              expect(kept.filter(Boolean).length).toBeLessThanOrEqual(1);
              await taker.load();
              at = taker.reached;
            }
            expect(await rowsIn(shared)).toEqual(await rowsIn(whole));
          } finally {
            await own.close();
          }
        },
      );
      await fc.assert(property, { numRuns: runs });
    });

    it('refuses a table that does not end in the version of the rows', () => {
      const { parts, store } = loop();
      const [keysTable, model] = [table('keys_v9', { key_id: 'text' }, ['key_id']), doorsModel()];
      const models = [{ ...model, kinds: [...model.kinds, facts(keysTable)] }];
      expect(() => parts.runner(store, models)).toThrow(
        `[TableWithoutVersion] table keys_v9: the loop that fills it keeps rows of version ${ROWS_VERSION}.`,
      );
    });
  });
}
