import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { ForeignPosition, InMemoryEventStore } from '#lib/event-store';
import { facts, type ReadModel, totals } from '../loop/declare.js';
import { uuid } from '../store/columns.js';
import type { ReadStore } from '../store/read-store.js';
import { type SchemaOf, table } from '../store/table.js';
import { alone, enabled, noting } from '../testing/noting.js';
import { appendAll, openLog } from '../testing/sample-log.js';
import { TestParts } from '../testing/test-parts.js';
import { CheckpointMismatch } from './stored-place.js';
import { ProjectionBehind } from './wait-for-position.js';
import { type ProjectionRunner, UnknownProjection } from './projection-runner.js';
import type { ProjectionStatus } from './projection-status.js';

const LONG_MS = 20_000;

const countersTable = table('counters_v1', { name: 'text', count: 'integer' }, ['name']);
const counters = totals(countersTable, { add: ['count'] });

/** Detects an event that is taken twice. */
const counting: ReadModel = {
  name: 'counting',
  kinds: [counters],
  on: {
    specialist: { SpecialistEnabled: (page) => page.count(counters, { name: 'specialist', count: 1 }) },
  },
};

const visitsTable = table('visits_v1', { specialist_id: uuid }, ['specialist_id']);
const visits = facts(visitsTable);

/** Its table refuses the second event of a specialist. */
const visiting: ReadModel = {
  name: 'visiting',
  kinds: [visits],
  on: { specialist: (page, _event, specialistId) => page.add(visits, { specialistId }) },
};

async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setImmediate(resolve));
}

async function statusOf(runner: ProjectionRunner, name: string): Promise<ProjectionStatus | undefined> {
  return (await runner.status()).find((status) => status.name === name);
}

describe('the runner of loops', () => {
  let parts: TestParts;
  let store: ReadStore;
  beforeEach(async () => {
    parts = new TestParts();
    store = await parts.openStore();
  });
  afterEach(() => parts.close());

  const countIn = async ({ db }: ReadStore) =>
    db.withTables<SchemaOf<typeof countersTable>>().selectFrom('counters_v1').selectAll().execute();

  it('takes what is in the log, then what comes', async () => {
    const runner = parts.runnerOf(store, [alone(counting)]);
    await appendAll(parts.log, [enabled('a')]);
    await runner.start();
    const position = await appendAll(parts.log, [enabled('b')], 1);
    await runner.waitFor(runner.names, position, LONG_MS);
    expect(await countIn(store)).toEqual([{ name: 'specialist', count: 2 }]);
    expect(await runner.status()).toEqual([
      { name: 'counting', version: 1, position, headPosition: position, lag: 0, status: 'live' },
    ]);
  });

  it('has made rows of all that was appended once it has settled, if no caller came for a while, and once it has stopped', async () => {
    let now = performance.now();
    const runner = parts.runnerOf(store, [alone(counting)]);
    await runner.start();
    await runner.waitFor(runner.names, await appendAll(parts.log, [enabled('a')]), LONG_MS);
    await until(async () => runner.changedAt(runner.names) !== undefined);
    const clock = jest.spyOn(performance, 'now').mockImplementation(() => now);
    const count = async () => (await countIn(store))[0]?.count;
    const settled = async () => {
      await runner.settle(runner.names, LONG_MS);
      return count();
    };
    try {
      now += 1_000;
      await appendAll(parts.log, [enabled('b'), enabled('c'), enabled('d')], 1);
      expect(await Promise.all([settled(), settled(), settled()])).toEqual([4, 4, 4]);
      now += 1_000;
      await appendAll(parts.log, [enabled('e'), enabled('f')], 4);
      await runner.stop();
      expect(await count()).toBe(6);
    } finally {
      clock.mockRestore();
    }
  });

  it('reads each page of the log once for all loops that catch up, whether it changes their rows or not', async () => {
    const events = Array.from({ length: 8800 }, (_, n) => enabled(`s${n}`));
    const last = await appendAll(parts.log, events);
    const readAll = jest.spyOn(parts.log.store, 'readAll');
    const all = [counting, noting('one'), noting('other')].map((model) => alone(model));
    const runner = parts.runnerOf(await parts.openStore(), all);
    await runner.start();
    await runner.waitFor(runner.names, last, LONG_MS);
    const read = readAll.mock.calls.map(([{ from }]) => from).filter((from) => from !== last);
    expect(read.length).toBeGreaterThan(2);
    expect(read).toEqual([...new Set(read)]);
  });

  it('looks at no more than 128 events of a page before other work has its turn', async () => {
    let [turn, isCounting] = [0, true];
    const countTurn = () => {
      turn += 1;
      if (isCounting) setImmediate(countTurn);
    };
    countTurn();
    const taken = new Map<number, number>();
    const note = () => void taken.set(turn, (taken.get(turn) ?? 0) + 1);
    const last = await appendAll(
      parts.log,
      Array.from({ length: 500 }, (_, n) => enabled(`s${n}`)),
    );
    const runner = parts.runner(store, [{ ...noting('noted'), on: { specialist: note } }]);
    await runner.start();
    await runner.waitFor(runner.names, last, LONG_MS);
    isCounting = false;
    expect(Math.max(...taken.values())).toBeLessThanOrEqual(128);
  });

  it('continues from its place after a restart', async () => {
    const notes = noting('notes');
    const first = parts.runner(store, [notes]);
    await first.start();
    await first.waitFor(first.names, await appendAll(parts.log, [enabled('a'), enabled('b')]), LONG_MS);
    await first.stop();
    const second = parts.runner(store, [notes]);
    await second.start();
    await second.waitFor(second.names, await appendAll(parts.log, [enabled('c')], 2), LONG_MS);
    expect(notes.taken).toEqual(['a', 'b', 'c']);
  });

  it('says how far behind it is before it has started', async () => {
    const runner = parts.runner(store, [noting('notes')]);
    await runner.prepare();
    expect(await statusOf(runner, 'notes')).toMatchObject({ position: null, headPosition: null, lag: 0 });
    const headPosition = await appendAll(parts.log, [enabled('a'), enabled('b')]);
    const behind = { position: null, headPosition, lag: 2, status: 'catching-up' };
    expect(await statusOf(runner, 'notes')).toMatchObject(behind);
  });

  describe('when a loop stops at errors, and a fold of it throws', () => {
    it('stops that loop before the event, says why, and holds up no other', async () => {
      const [good, bad] = [noting('good'), noting('bad')];
      bad.fault = 'b';
      const runner = parts.runnerOf(store, [alone(good), alone(bad)]);
      const position = await appendAll(parts.log, [enabled('a'), enabled('b'), enabled('c')]);
      await runner.start();
      await until(async () => (await statusOf(runner, 'bad'))?.status === 'stopped');
      await until(async () => (await statusOf(runner, 'good'))?.position === position);
      expect(await statusOf(runner, 'bad')).toMatchObject({
        lag: 2,
        status: 'stopped',
        error: {
          type: 'SpecialistEnabled',
          stream: 'redial_specialist-b',
          revision: 0,
          message: expect.stringMatching(/^\[EventNotProjected\] projection of bad .*b is not welcome/),
        },
      });
      expect(bad.taken).not.toContain('c');
      const late = runner.waitFor(runner.names, position, 0);
      await expect(late).rejects.toThrow(ProjectionBehind);
      await expect(late).rejects.toMatchObject({ projections: ['bad'], position });
      await expect(runner.waitFor(['good'], position, 0)).resolves.toBeUndefined();
      await expect(runner.checkStream('specialist', 'b')).resolves.toBeUndefined();
    });

    it('ends a wait for what lies behind the event, and says why', async () => {
      const [good, bad] = [noting('good'), noting('bad')];
      bad.fault = 'b';
      const runner = parts.runnerOf(store, [alone(good), alone(bad)]);
      const before = await appendAll(parts.log, [enabled('a')]);
      await appendAll(parts.log, [enabled('b'), enabled('c')]);
      await runner.start();
      await expect(runner.caughtUpWithHead(LONG_MS)).rejects.toThrow(
        /it was not reached by bad\. The projection of bad cannot take event SpecialistEnabled at redial_specialist-b revision 0: b is not welcome/,
      );
      await expect(runner.waitFor(['bad'], before, LONG_MS)).resolves.toBeUndefined();
    });

    it('continues with a retry after the cause is removed', async () => {
      const bad = noting('bad');
      bad.fault = 'b';
      const runner = parts.runnerOf(store, [alone(bad)]);
      await appendAll(parts.log, [enabled('a'), enabled('b'), enabled('c')]);
      await runner.start();
      await until(async () => (await statusOf(runner, 'bad'))?.status === 'stopped');
      delete bad.fault;
      runner.retry('bad');
      await runner.caughtUpWithHead(LONG_MS);
      expect(bad.taken.slice(-2)).toEqual(['b', 'c']);
      expect(await statusOf(runner, 'bad')).toMatchObject({ status: 'live', lag: 0 });
      expect(await statusOf(runner, 'bad')).not.toHaveProperty('error');
    });

    it('tries again by itself', async () => {
      const bad = noting('bad');
      bad.fault = 'a';
      const runner = parts.runnerOf(store, [alone(bad)]);
      await appendAll(parts.log, [enabled('a')]);
      await runner.start();
      await until(async () => (await statusOf(runner, 'bad'))?.status === 'stopped');
      delete bad.fault;
      await runner.caughtUpWithHead(LONG_MS);
      expect(bad.taken).toEqual(['a']);
    });

    it('keeps what came before an event whose rows a table refuses', async () => {
      const runner = parts.runnerOf(store, [alone(visiting)]);
      const again = { ...enabled('a'), event: { type: 'SpecialistDisabled', data: {} } };
      await appendAll(parts.log, [enabled('a'), enabled('b'), again, enabled('c')]);
      await runner.start();
      await until(async () => (await statusOf(runner, 'visiting'))?.status === 'stopped');
      expect((await statusOf(runner, 'visiting'))?.error).toMatchObject({ revision: 1 });
      const tables = store.db.withTables<SchemaOf<typeof visitsTable>>();
      expect(await tables.selectFrom('visits_v1').selectAll().execute()).toHaveLength(2);
    });

    it('lets the stream of an event that cannot be decoded stand still, as other loops do', async () => {
      const notes = noting('notes');
      const runner = parts.runnerOf(store, [alone(notes)]);
      const odd = { eventId: 'e', type: 'SpecialistEnabled', data: '[]', metadata: '{"schemaVersion":1}' };
      await parts.log.store.append('redial_specialist-1', 'any', [odd]);
      await appendAll(parts.log, [enabled('a')]);
      await runner.start();
      await runner.caughtUpWithHead(LONG_MS);
      expect(notes.taken).toEqual(['a']);
      expect((await statusOf(runner, 'notes'))?.error?.message).toContain('not a JSON object');
    });
  });

  it('names all streams that stand still in one question, and none where none does', async () => {
    const runner = parts.runner(store, [noting('notes')]);
    await runner.start();
    const asked: (readonly string[])[] = [];
    const ask = () =>
      runner.checkWhole(['notes'], (still) => {
        asked.push(still.map(({ stream }) => stream).toSorted());
        return undefined;
      });
    await ask();
    expect(asked).toEqual([]);
    const streams = ['redial_specialist-1', 'redial_specialist-2'];
    for (const stream of streams) {
      const odd = { type: 'SpecialistEnabled', data: '[]', metadata: '{"schemaVersion":1}' };
      await parts.log.store.append(stream, 'any', [{ ...odd, eventId: stream }]);
    }
    await runner.caughtUpWithHead(LONG_MS);
    await ask();
    expect(asked).toEqual([streams]);
    const second = runner.checkWhole(['notes'], (still) => still.find(({ id }) => id === '2'));
    await expect(second).rejects.toThrow('specialist-2');
  });

  it('stops although the log was closed before', async () => {
    const runner = parts.runner(store, [noting('notes')]);
    await runner.start();
    await parts.log.store.close();
    await expect(runner.stop()).resolves.toBeUndefined();
  });

  describe('a rebuild', () => {
    it('begins where a process that asked for it has died', async () => {
      const dead = parts.runner(store, [noting('notes')]);
      await appendAll(parts.log, [enabled('a'), enabled('b')]);
      await dead.start();
      await dead.caughtUpWithHead(LONG_MS);
      await dead.stop();
      await dead.rebuild('notes');
      expect(await statusOf(dead, 'notes')).toMatchObject({ status: 'rebuilding', lag: 0 });
      const next = noting('notes');
      const runner = parts.runner(store, [next]);
      await runner.start();
      await until(async () => (await statusOf(runner, 'notes'))?.status === 'live');
      expect(next.taken).toEqual(['a', 'b']);
    });

    it('is noticed by a runner that has nothing else to do', async () => {
      const notes = noting('notes');
      const idle = parts.runner(store, [notes]);
      await idle.start();
      await idle.waitFor(idle.names, await appendAll(parts.log, [enabled('a')]), LONG_MS);
      await parts.runner(await parts.openStore(), [noting('notes')]).rebuild('notes');
      await until(async () => notes.taken.length === 2);
    });
  });

  describe('refuses', () => {
    it('a read store that was filled from another log', async () => {
      const runner = parts.runner(store, [noting('notes')]);
      await appendAll(parts.log, [enabled('a')]);
      await runner.start();
      await runner.caughtUpWithHead(LONG_MS);
      await runner.stop();
      const other = new TestParts(openLog(new InMemoryEventStore('another-log')));
      const starting = other.runner(store, [noting('notes')]).start();
      await expect(starting).rejects.toThrow(CheckpointMismatch);
      await expect(starting).rejects.toThrow('is not a position of the log another-log');
      await other.close();
    });

    it('a place beyond the end of the log', async () => {
      const logs = [1, 2].map(() => openLog(new InMemoryEventStore('same-id')));
      const [longer, shorter] = logs.map((log) => new TestParts(log));
      if (longer) await appendAll(longer.log, [enabled('a'), enabled('b')]);
      const runner = longer?.runner(store, [noting('notes')]);
      await runner?.start();
      await runner?.caughtUpWithHead(LONG_MS);
      await runner?.stop();
      if (shorter) await appendAll(shorter.log, [enabled('a')]);
      await expect(shorter?.runner(store, [noting('notes')]).start()).rejects.toThrow('the log ends at');
      await longer?.close();
      await shorter?.close();
    });

    it('to wait for a position of another log', async () => {
      const runner = parts.runner(store, [noting('notes')]);
      await expect(runner.waitFor(runner.names, 'x.00000000000000000001', 0)).rejects.toThrow(
        ForeignPosition,
      );
      await expect(runner.waitFor(runner.names, 'nonsense', 0)).rejects.toThrow(ForeignPosition);
    });

    it('models that do not exist', async () => {
      const runner = parts.runner(store, [noting('notes')]);
      expect(() => runner.retry('other')).toThrow(UnknownProjection);
      await expect(runner.rebuild('other')).rejects.toThrow(/\[UnknownProjection\].*Name one of notes/);
    });
  });

  it('fills a new version beside the old one', async () => {
    const first = parts.runnerOf(store, [alone(noting('notes'), 1)]);
    await first.start();
    await first.waitFor(first.names, await appendAll(parts.log, [enabled('a')]), LONG_MS);
    const second = parts.runnerOf(store, [alone(noting('notes'), 2)]);
    await second.prepare();
    expect(await statusOf(second, 'notes')).toMatchObject({ version: 2, status: 'catching-up' });
    await second.start();
    await second.caughtUpWithHead(LONG_MS);
    expect(await statusOf(first, 'notes')).toMatchObject({ version: 1, status: 'live' });
  });
});
