import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import * as fc from 'fast-check';
import { facts } from '../loop/declare.js';
import { ROWS_VERSION } from '../loop/folded-table.js';
import { FoldTaker } from '../loop/fold-taker.js';
import { tableIn } from '../loop/record-codec.js';
import { standingStillTable } from '../loop/standing-still.js';
import { LogEvent } from '../runner/log-reader.js';
import { ProjectionRunner } from '../runner/projection-runner.js';
import type { ReadStore } from '../store/read-store.js';
import { statement } from '../store/statement.js';
import {
  closed,
  countsTable,
  doorsModel,
  doorsTable,
  type DoorTables,
  type Faults,
  opened,
  openingsTable,
} from './counted-doors.js';
import { type SchemaOf, table } from '../store/table.js';
import { appendAll, type PlacedEvent } from './sample-log.js';
import { loopOf, type TestParts } from './test-parts.js';

const LONG_MS = 20_000;

/** The guarantees of a loop of folds on every read store. */
export function describeReadLoopContract(name: string, makeParts: () => TestParts, runs: number): void {
  describe(`read loop contract: ${name}`, () => {
    let parts: TestParts;
    let store: ReadStore;
    beforeEach(async () => {
      parts = makeParts();
      store = await parts.openStore();
    });
    afterEach(() => parts.close());

    const runnerOn = (on: ReadStore, faults?: Faults) => parts.runner(on, [doorsModel(faults)]);
    async function running(faults?: Faults): Promise<ProjectionRunner> {
      const runner = runnerOn(store, faults);
      await runner.start();
      return runner;
    }
    async function rowsIn(on: ReadStore = store) {
      const db = on.db.withTables<DoorTables>();
      return {
        doors: await db.selectFrom(doorsTable.name).selectAll().orderBy('door_id').execute(),
        openings: await db.selectFrom(openingsTable.name).selectAll().orderBy('number').execute(),
        counts: await db.selectFrom(countsTable.name).selectAll().orderBy('is_open').execute(),
      };
    }
    const doorsIn = async (on?: ReadStore) => (await rowsIn(on)).doors.map((row) => row.door_id);
    const caughtUp = async (runner: ProjectionRunner) => runner.caughtUpWithHead(LONG_MS);
    const storedOdd = (stream: string, type = 'SpecialistEnabled', data = '[]') =>
      parts.log.store.append(stream, 'any', [
        { eventId: `odd ${stream} ${type}`, type, data, metadata: '{"schemaVersion":1}' },
      ]);

    it('folds what is in the log, then what comes, into rows of all kinds', async () => {
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
              // Another process takes the same page, and one of both is not kept.
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
      const [keysTable, model] = [table('keys_v9', { key_id: 'text' }, ['key_id']), doorsModel()];
      const models = [{ ...model, kinds: [...model.kinds, facts(keysTable)] }];
      expect(() => parts.runner(store, models)).toThrow(
        `[TableWithoutVersion] table keys_v9: the loop that fills it keeps rows of version ${ROWS_VERSION}.`,
      );
    });

    it('answers a wait once its own write is known, without a poll', async () => {
      const runner = await running();
      await caughtUp(runner);
      const position = await appendAll(parts.log, [opened('a')]);
      const pollsNever = jest.spyOn(globalThis, 'setTimeout').mockReturnValue(setTimeout(() => undefined, 0));
      await runner.waitFor(['doors'], position, LONG_MS);
      pollsNever.mockRestore();
    });

    it('lets one process wait for what another one does', async () => {
      const waiting = runnerOn(store);
      await waiting.prepare();
      const position = await appendAll(parts.log, [opened('a')]);
      const waited = waiting.waitFor(['doors'], position, LONG_MS);
      await runnerOn(await parts.openStore()).start();
      await waited;
      expect(await doorsIn()).toEqual(['a']);
    });

    it('gives every event to the rows once if two processes take all', async () => {
      const runners = [runnerOn(store), runnerOn(await parts.openStore())];
      for (const runner of runners) await runner.start();
      await appendAll(
        parts.log,
        Array.from({ length: 300 }, (_, n) => opened(`s${n % 7}`)),
      );
      for (const runner of runners) await caughtUp(runner);
      expect((await rowsIn()).counts).toMatchObject([{ is_open: 1, events: 300, latest: 300 }]);
    });

    it('moves on over events that change no row, and stores that place', async () => {
      const runner = await running();
      const other: PlacedEvent = { category: 'planner', id: 'p', event: { type: 'WorkflowEnded', data: {} } };
      await runner.waitFor(['doors'], await appendAll(parts.log, [opened('a'), other]), LONG_MS);
      await runner.stop();
      const next = runnerOn(store);
      await next.prepare();
      expect(await next.status()).toMatchObject([{ lag: 0, status: 'live' }]);
    });

    describe('0.2-O4: an event that cannot be taken', () => {
      it.each<[string, Faults]>([
        ['a fold throws', { door: 'b' }],
        ['a fold looks at a document that it did not ask for', { forgotten: 'nowhere' }],
      ])('lets only its stream stand still: %s', async (_, faults) => {
        const events = [opened('a'), opened('b'), opened('c'), closed('b'), closed('a')];
        await appendAll(parts.log, faults.door ? events : [opened('b')]);
        const runner = await running(faults);
        await caughtUp(runner);
        expect(await doorsIn()).toEqual(faults.door ? ['a', 'c'] : []);
        const [status] = await runner.status();
        expect(status).toMatchObject({
          status: 'live',
          lag: 0,
          error: { stream: 'redial_specialist-b', revision: 0, type: 'SpecialistEnabled' },
        });
        expect(status?.error?.message).toMatch(
          faults.door
            ? /^A stream stands still before event SpecialistEnabled at redial_specialist-b revision 0: b is not welcome$/
            : /\[DocumentNotLoaded\] document nowhere of doors_v\d+/,
        );
      });

      it('is told once for each stream', async () => {
        const told: string[] = [];
        const onStandsStill = ({ stream }: { readonly stream?: string }) => void told.push(stream ?? '');
        const models = loopOf([doorsModel({ door: 'b' })]);
        const runner = new ProjectionRunner(parts.log, store, [models], { onStandsStill });
        await appendAll(parts.log, [opened('a'), opened('b'), closed('b'), opened('c', 'b')]);
        await runner.start();
        await caughtUp(runner);
        await runner.stop();
        expect(told.toSorted()).toEqual(['redial_specialist-b', 'redial_specialist-c']);
      });

      it('lets only its stream stand still: it cannot be decoded', async () => {
        await appendAll(parts.log, [opened('a'), opened('b')]);
        await storedOdd('redial_specialist-b');
        await appendAll(parts.log, [closed('b'), closed('a')], 2);
        const runner = await running();
        await caughtUp(runner);
        const { doors } = await rowsIn();
        expect(doors).toMatchObject([
          { door_id: 'a', is_open: 0 },
          { door_id: 'b', is_open: 1 },
        ]);
        const error = { revision: 1, message: expect.stringContaining('its data is not a JSON object') };
        expect(await runner.status()).toMatchObject([{ status: 'live', error }]);
      });

      it('lets streams stand still whose events need a document of it', async () => {
        await appendAll(parts.log, [
          opened('a', 'b'),
          opened('b'),
          opened('c', 'b'),
          opened('d', 'a'),
          closed('c'),
        ]);
        const runner = await running({ door: 'b' });
        await caughtUp(runner);
        // `a` needed it before it stood still.
        expect(await doorsIn()).toEqual(['a', 'd']);
        const rows = await store.db
          .withTables<SchemaOf<typeof standingStillTable>>()
          .selectFrom(standingStillTable.name)
          .select(['stream', 'because'])
          .orderBy('stream')
          .execute();
        expect(rows).toEqual([
          { stream: 'redial_specialist-b', because: null },
          { stream: 'redial_specialist-c', because: 'redial_specialist-b' },
        ]);
      });

      it('is found among many, and each of several, whatever the page', async () => {
        const many = Array.from({ length: 200 }, (_, n) => opened(`s${n % 20}`));
        await appendAll(parts.log, many);
        for (const n of [3, 7, 11]) await storedOdd(`redial_specialist-s${n}`);
        await appendAll(parts.log, many, many.length);
        const runner = await running({ door: 's5' });
        await caughtUp(runner);
        expect(await doorsIn()).toHaveLength(19);
        expect((await rowsIn()).counts).toMatchObject([{ events: 19 * 20 - 3 * 10 }]);
      });

      it('stands still after a restart, and is taken by a rebuild once its cause is gone', async () => {
        await appendAll(parts.log, [opened('a'), opened('b')]);
        const faults: Faults = { door: 'b' };
        const first = await running(faults);
        await caughtUp(first);
        await first.stop();
        delete faults.door;
        const second = await running(faults);
        await second.waitFor(['doors'], await appendAll(parts.log, [closed('b'), closed('a')], 2), LONG_MS);
        expect(await doorsIn()).toEqual(['a']);
        await second.rebuild('doors');
        while ((await second.status())[0]?.status !== 'live')
          await new Promise((resolve) => setTimeout(resolve, 5));
        expect(await doorsIn()).toEqual(['a', 'b']);
        expect((await second.status())[0]).not.toHaveProperty('error');
      });
    });

    it.each([
      ['a type', 'SpecialistMoved', '{}', '{"schemaVersion":1}'],
      ['a version', 'SpecialistEnabled', '{}', '{"schemaVersion":9}'],
    ])(
      'stops at %s that it does not know, with all that comes before it',
      async (_, type, data, metadata) => {
        const before = await appendAll(parts.log, [opened('a'), opened('b')]);
        await parts.log.store.append('redial_specialist-n', 'any', [{ eventId: 'n', type, data, metadata }]);
        await appendAll(parts.log, [opened('c')], 2);
        const runner = await running();
        await expect(caughtUp(runner)).rejects.toThrow(
          /The rows cannot take event|it was not reached by doors/,
        );
        await expect(runner.waitFor(['doors'], before, 0)).resolves.toBeUndefined();
        expect(await doorsIn()).toEqual(['a', 'b']);
        expect(await runner.status()).toMatchObject([{ status: 'stopped', error: { type } }]);
      },
    );

    describe('a rebuild', () => {
      it('fills rows beside those that are read, which stay until it is done', async () => {
        await appendAll(parts.log, [opened('a'), closed('b'), opened('b', 'a')]);
        const runner = runnerOn(store);
        await runner.prepare();
        const taker = new FoldTaker(loopOf([doorsModel()]), 'served', { log: parts.log, store });
        const events = (await parts.log.store.readAll({ limit: 9 })).map(
          (one) => new LogEvent(one, parts.log),
        );
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
        while ((await runner.status())[0]?.status !== 'live')
          await new Promise((resolve) => setTimeout(resolve, 5));
        expect(await rowsIn()).toEqual(before);
        await runner.waitFor(['doors'], await appendAll(parts.log, [closed('a')], 3), LONG_MS);
        expect((await rowsIn()).doors[0]).toMatchObject({ door_id: 'a', is_open: 0, changes: 2 });
      });

      it('makes a table that an earlier build with the same version did not have', async () => {
        await appendAll(parts.log, [opened('a')]);
        const first = await running();
        await caughtUp(first);
        await first.stop();
        const { schema } = store.db;
        const drops = [schema.dropView(doorsTable.name), schema.dropTable(tableIn('a', doorsTable.name))];
        await store.write(drops.map((drop) => statement({}, () => drop)({})));
        const second = await running();
        await second.rebuild('doors');
        while ((await second.status())[0]?.status !== 'live')
          await new Promise((resolve) => setTimeout(resolve, 5));
        expect(await doorsIn()).toEqual(['a']);
      });

      it('goes on beside events that come, and can be asked for again and again', async () => {
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
          while ((await runner.status())[0]?.status !== 'live')
            await new Promise((resolve) => setTimeout(resolve, 5));
        }
        await caughtUp(runner);
        expect((await rowsIn()).counts).toMatchObject([{ events: 303, latest: 303 }]);
      });
    });
  });
}
