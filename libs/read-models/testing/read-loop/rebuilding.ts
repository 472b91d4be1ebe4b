import { describe, expect, it } from '@jest/globals';
import { FoldTaker } from '../../loop/fold-taker.js';
import { tableIn } from '../../loop/record-codec.js';
import { LogEvent } from '../../runner/log-reader.js';
import type { ReadStore } from '../../store/read-store.js';
import { statement } from '../../store/statement.js';
import { closed, doorsModel, doorsTable, opened } from '../counted-doors.js';
import { appendAll } from '../sample-log.js';
import { loopOf } from '../loop-of.js';
import { type DoorsLoop, LONG_MS } from './doors-loop.js';

/** The store, with an action before each write. */
function writingAfter(store: ReadStore, before: () => Promise<void>): ReadStore {
  const { location, arrivals, sharesTransactions, words, takesViews, db, now } = store;
  const write: ReadStore['write'] = async (changes) => {
    await before();
    return store.write(changes);
  };
  const same = { location, arrivals, sharesTransactions, words, takesViews, db, now };
  return { ...same, write, close: () => store.close() };
}

/** Rows are filled again beside those that are read. */
export function describeRebuilding(loop: () => DoorsLoop): void {
  describe('a rebuild', () => {
    it('fills rows beside those that are read, which stay until it is done', async () => {
      const { parts, store, runnerOn, rowsIn, rebuilt } = loop();
      await appendAll(parts.log, [opened('a'), closed('b'), opened('b', 'a')]);
      const runner = runnerOn(store);
      await runner.prepare();
      const taker = new FoldTaker(loopOf([doorsModel()]), 'served', { log: parts.log, store });
      const events = (await parts.log.store.readAll({ limit: 9 })).map((one) => new LogEvent(one, parts.log));
      await taker.load();
      await taker.take(events);
      const before = await rowsIn();
      await runner.rebuild('doors');
      expect(await runner.status()).toMatchObject([{ status: 'rebuilding', lag: 0 }]);
      const filling = new FoldTaker(loopOf([doorsModel()]), 'filling', { log: parts.log, store });
      await filling.load();
      await filling.take(events.slice(0, 2));
      expect(await rowsIn()).toEqual(before);
      await runner.start();
      await rebuilt(runner);
      expect(await rowsIn()).toEqual(before);
      await runner.waitFor(['doors'], await appendAll(parts.log, [closed('a')], 3), LONG_MS);
      expect((await rowsIn()).doors[0]).toMatchObject({ door_id: 'a', is_open: 0, changes: 2 });
    });

    it('that is asked for again keeps no page that was folded from the rows before', async () => {
      const { parts, store, runnerOn, rowsIn, rebuilt } = loop();
      await appendAll(parts.log, [opened('a'), opened('b', 'a')]);
      const runner = runnerOn(store);
      await runner.prepare();
      await runner.rebuild('doors');
      const taker = async (on: ReadStore) => {
        const made = new FoldTaker(loopOf([doorsModel()]), 'filling', { log: parts.log, store: on });
        await made.load();
        return made;
      };
      const events = (await parts.log.store.readAll({ limit: 9 })).map((one) => new LogEvent(one, parts.log));
      const late = await taker(
        writingAfter(store, async () => {
          await runner.rebuild('doors');
        }),
      );
      await (await taker(store)).take(events.slice(0, 1));
      expect(await late.take(events)).toBe(false);
      await runner.start();
      await rebuilt(runner);
      await runner.caughtUpWithHead(LONG_MS);
      expect((await rowsIn()).doors).toHaveLength(2);
    });

    it('makes a table that an earlier build with the same version did not have', async () => {
      const { parts, store, running, doorsIn, caughtUp, rebuilt } = loop();
      await appendAll(parts.log, [opened('a')]);
      const first = await running();
      await caughtUp(first);
      await first.stop();
      const { schema } = store.db;
      const drops = [schema.dropView(doorsTable.name), schema.dropTable(tableIn('a', doorsTable.name))];
      await store.write(drops.map((drop) => statement({}, () => drop)({})));
      const second = await running();
      await second.rebuild('doors');
      await rebuilt(second);
      expect(await doorsIn()).toEqual(['a']);
    });

    it('goes on beside events that come, and can be asked for again and again', async () => {
      const { parts, running, rowsIn, caughtUp, rebuilt } = loop();
      const runner = await running();
      for (let n = 0; n < 3; n++) {
        await appendAll(
          parts.log,
          Array.from({ length: 100 }, (_, at) => opened(`s${at % 5}`)),
          n * 100,
        );
        await runner.rebuild('doors');
        await runner.rebuild('doors');
        await appendAll(parts.log, [opened('late')], 1000 + n);
        await rebuilt(runner);
      }
      await caughtUp(runner);
      expect((await rowsIn()).counts).toMatchObject([{ events: 303, latest: 303 }]);
    });
  });
}
