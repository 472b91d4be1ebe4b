import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { ForeignPosition, InMemoryEventStore } from '#lib/event-store';
import { commandsProjection, findCommand } from '../commands/commands.read-model.js';
import { machinesProjection } from '../machines/machines.read-model.js';
import { specialistsProjection } from '../specialists/specialists.read-model.js';
import { insertRowOnce } from '../store/row-changes.js';
import type { ReadStore } from '../store/read-store.js';
import { statement } from '../store/statement.js';
import { type RowOf, table } from '../store/table.js';
import { appendAll, openLog, type PlacedEvent } from '../testing/sample-log.js';
import { TestParts } from '../testing/test-parts.js';
import { CheckpointMismatch } from './checkpoints.js';
import type { Projection } from './projection.js';
import { ProjectionBehind } from './wait-for-position.js';
import { type ProjectionRunner, UnknownProjection } from './projection-runner.js';
import type { ProjectionStatus } from './projection-status.js';

const LONG_MS = 20_000;

function enabled(specialistId: string): PlacedEvent {
  return {
    category: 'specialist',
    id: specialistId,
    event: { type: 'SpecialistEnabled', data: { specialistId } },
  };
}

type Noting = Projection & { readonly taken: string[]; fault?: string };

/** Takes every event of a specialist that its fault lets through, and notes what it took. */
function noting(name: string): Noting {
  const taken: string[] = [];
  const projection: Noting = {
    name,
    version: 1,
    tables: [],
    taken,
    on: {
      specialist: (_event, id) => {
        if (id === projection.fault) throw new Error(`${id} is not welcome`);
        taken.push(id);
        return [];
      },
    },
  };
  return projection;
}

const countersTable = table('counters_v1', { name: 'text', count: 'integer' }, ['name']);
type Counters = { counters_v1: RowOf<typeof countersTable> };
const addCounter = insertRowOnce(countersTable);
const countOne = statement({}, (db) =>
  db
    .withTables<Counters>()
    .updateTable('counters_v1')
    .set((eb) => ({ count: eb('count', '+', 1) })),
);

/** Shows an event that is taken twice. */
const counting: Projection = {
  name: 'counting',
  version: 1,
  tables: [countersTable],
  on: { specialist: () => [addCounter({ name: 'specialist', count: 0 }), countOne({})] },
};

async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setImmediate(resolve));
}

async function statusOf(runner: ProjectionRunner, name: string): Promise<ProjectionStatus | undefined> {
  return (await runner.status()).find((status) => status.name === name);
}

describe('the projection runner', () => {
  let parts: TestParts;
  let store: ReadStore;
  beforeEach(async () => {
    parts = new TestParts();
    store = await parts.openStore();
  });
  afterEach(() => parts.close());

  it('takes what is in the log, then what comes', async () => {
    const runner = parts.runner(store, [commandsProjection]);
    await appendAll(parts.log, [enabled('a')]);
    await runner.start();
    const position = await appendAll(parts.log, [enabled('b')], 1);
    await runner.waitFor(runner.names, position, LONG_MS);
    const rows = await store.db.selectFrom('commands_v1').selectAll().execute();
    expect(rows).toHaveLength(2);
    expect(await runner.status()).toEqual([
      { name: 'commands', version: 1, position, headPosition: position, lag: 0, status: 'live' },
    ]);
  });

  it('answers a wait once its own write is known, without a poll', async () => {
    const runner = parts.runner(store, [counting]);
    await runner.start();
    await runner.caughtUpWithHead(LONG_MS);
    const position = await appendAll(parts.log, [enabled('a')]);
    const pollsNever = jest.spyOn(globalThis, 'setTimeout').mockReturnValue(setTimeout(() => undefined, 0));
    await runner.waitFor(runner.names, position, LONG_MS);
    pollsNever.mockRestore();
  });

  it('reads each page of the log once for all projections that catch up, whether it changes their rows or not', async () => {
    const events = Array.from({ length: 2200 }, (_, n) => enabled(`s${n}`));
    const last = await appendAll(parts.log, events);
    const readAll = jest.spyOn(parts.log.store, 'readAll');
    const all = [counting, noting('one'), noting('other'), machinesProjection];
    const runner = parts.runner(await parts.openStore(), all);
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
    const note = () => {
      taken.set(turn, (taken.get(turn) ?? 0) + 1);
      return [];
    };
    const last = await appendAll(
      parts.log,
      Array.from({ length: 500 }, (_, n) => enabled(`s${n}`)),
    );
    const noted = { ...noting('noted'), on: { specialist: note } };
    const runner = parts.runner(store, [noted]);
    await runner.start();
    await runner.waitFor(runner.names, last, LONG_MS);
    isCounting = false;
    expect(Math.max(...taken.values())).toBeLessThanOrEqual(128);
  });

  it('continues from its checkpoint after a restart', async () => {
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

  describe('when an event cannot be taken', () => {
    it('stops that projection before it, says why, and holds up no other', async () => {
      const [good, bad] = [noting('good'), noting('bad')];
      bad.fault = 'b';
      const runner = parts.runner(store, [good, bad]);
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
          message: expect.stringMatching(/^\[EventNotProjected\] projection bad .*b is not welcome/),
        },
      });
      expect(bad.taken).not.toContain('c');
      const late = runner.waitFor(runner.names, position, 0);
      await expect(late).rejects.toThrow(ProjectionBehind);
      await expect(late).rejects.toMatchObject({ projections: ['bad'], position });
      await expect(runner.waitFor(['good'], position, 0)).resolves.toBeUndefined();
    });

    it('ends a wait for what lies behind the event, and says why', async () => {
      const [good, bad] = [noting('good'), noting('bad')];
      bad.fault = 'b';
      const runner = parts.runner(store, [good, bad]);
      const before = await appendAll(parts.log, [enabled('a')]);
      await appendAll(parts.log, [enabled('b'), enabled('c')]);
      await runner.start();
      await expect(runner.caughtUpWithHead(LONG_MS)).rejects.toThrow(
        /it was not reached by bad\. The projection bad cannot take event SpecialistEnabled at redial_specialist-b revision 0: b is not welcome/,
      );
      await expect(runner.waitFor(['bad'], before, LONG_MS)).resolves.toBeUndefined();
    });

    it('continues with a retry after the cause is removed', async () => {
      const bad = noting('bad');
      bad.fault = 'b';
      const runner = parts.runner(store, [bad]);
      await appendAll(parts.log, [enabled('a'), enabled('b'), enabled('c')]);
      await runner.start();
      await until(async () => (await statusOf(runner, 'bad'))?.status === 'stopped');
      delete bad.fault;
      runner.retry('bad');
      await runner.caughtUpWithHead(LONG_MS);
      expect(bad.taken).toEqual(['a', 'b', 'c']);
      expect(await statusOf(runner, 'bad')).toMatchObject({ status: 'live', lag: 0 });
      expect(await statusOf(runner, 'bad')).not.toHaveProperty('error');
    });

    it('tries again by itself', async () => {
      const bad = noting('bad');
      bad.fault = 'a';
      const runner = parts.runner(store, [bad]);
      await appendAll(parts.log, [enabled('a')]);
      await runner.start();
      await until(async () => (await statusOf(runner, 'bad'))?.status === 'stopped');
      delete bad.fault;
      await runner.caughtUpWithHead(LONG_MS);
      expect(bad.taken).toEqual(['a']);
    });

    it('stops at an event that cannot be decoded', async () => {
      const runner = parts.runner(store, [specialistsProjection]);
      const odd = { eventId: 'e', type: 'SpecialistEnabled', data: '[]', metadata: '{"schemaVersion":1}' };
      await parts.log.store.append('redial_specialist-1', 'any', [odd]);
      await runner.start();
      await until(async () => (await statusOf(runner, 'specialists'))?.status === 'stopped');
      const status = await statusOf(runner, 'specialists');
      expect(status?.error).toMatchObject({
        eventId: 'e',
        message: expect.stringContaining('not a JSON object'),
      });
    });

    it('keeps what came before an event whose rows a table refuses', async () => {
      const defined = (version: number): PlacedEvent => ({
        category: 'machine',
        id: 'm',
        event: { type: 'MachineDefined', data: { machineName: 'm', version, hash: 'h', definition: {} } },
      });
      const runner = parts.runner(store, [machinesProjection]);
      await appendAll(parts.log, [defined(1), defined(2), defined(1), defined(3)]);
      await runner.start();
      await until(async () => (await statusOf(runner, 'machines'))?.status === 'stopped');
      expect((await statusOf(runner, 'machines'))?.error).toMatchObject({ revision: 2 });
      const rows = await store.db.selectFrom('machines_v3').select('version').orderBy('version').execute();
      expect(rows).toEqual([{ version: 1 }, { version: 2 }]);
    });
  });

  it('stops although the log was closed before', async () => {
    const runner = parts.runner(store, [noting('notes')]);
    await runner.start();
    await parts.log.store.close();
    await expect(runner.stop()).resolves.toBeUndefined();
  });

  describe('two runners on one read store', () => {
    it('give every event to the rows once', async () => {
      const runners = [store, await parts.openStore()].map((one) => parts.runner(one, [counting]));
      for (const runner of runners) await runner.start();
      const names = Array.from({ length: 300 }, (_, n) => `s${n}`);
      const position = await appendAll(parts.log, names.map(enabled));
      for (const runner of runners) await runner.waitFor(runner.names, position, LONG_MS);
      const counters = store.db.withTables<Counters>().selectFrom('counters_v1').selectAll();
      expect(await counters.execute()).toEqual([{ name: 'specialist', count: 300 }]);
    });

    it('let one wait for what the other one does', async () => {
      const elsewhere = parts.runner(await parts.openStore(), [commandsProjection]);
      const waiting = parts.runner(store, [commandsProjection]);
      await waiting.prepare();
      const position = await appendAll(parts.log, [enabled('a')]);
      const waited = waiting.waitFor(waiting.names, position, LONG_MS);
      await elsewhere.start();
      await waited;
      const rows = await store.db.selectFrom('commands_v1').selectAll().execute();
      expect(rows).toHaveLength(1);
      expect(await findCommand(store.db, rows[0]?.command_id ?? '')).toMatchObject({ firstRevision: 0 });
    });
  });

  describe('a rebuild', () => {
    it('fills the tables again from the start of the log', async () => {
      const runner = parts.runner(store, [commandsProjection, machinesProjection]);
      await runner.start();
      await runner.waitFor(runner.names, await appendAll(parts.log, [enabled('a'), enabled('b')]), LONG_MS);
      const whole = await store.db.selectFrom('commands_v1').selectAll().execute();
      await runner.rebuild('commands');
      await runner.caughtUpWithHead(LONG_MS);
      expect(await store.db.selectFrom('commands_v1').selectAll().execute()).toEqual(whole);
    });

    it('continues when a dead process stopped', async () => {
      const dead = parts.runner(store, [commandsProjection]);
      await appendAll(parts.log, [enabled('a'), enabled('b')]);
      await dead.start();
      await dead.caughtUpWithHead(LONG_MS);
      await dead.stop();
      await dead.rebuild('commands');
      expect(await statusOf(dead, 'commands')).toMatchObject({
        position: null,
        status: 'rebuilding',
        lag: 2,
      });
      expect(await store.db.selectFrom('commands_v1').selectAll().execute()).toEqual([]);
      const next = parts.runner(store, [commandsProjection]);
      await next.start();
      await next.caughtUpWithHead(LONG_MS);
      expect(await store.db.selectFrom('commands_v1').selectAll().execute()).toHaveLength(2);
      expect(await statusOf(next, 'commands')).toMatchObject({ status: 'live' });
    });

    it('is noticed by a runner that has nothing else to do', async () => {
      const idle = parts.runner(store, [commandsProjection]);
      await idle.start();
      await idle.waitFor(idle.names, await appendAll(parts.log, [enabled('a')]), LONG_MS);
      await parts.runner(await parts.openStore(), [commandsProjection]).rebuild('commands');
      await idle.caughtUpWithHead(LONG_MS);
      expect(await store.db.selectFrom('commands_v1').selectAll().execute()).toHaveLength(1);
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

    it('a checkpoint beyond the end of the log', async () => {
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

    it('projections that do not exist', async () => {
      const runner = parts.runner(store, [noting('notes')]);
      expect(() => runner.retry('other')).toThrow(UnknownProjection);
      await expect(runner.rebuild('other')).rejects.toThrow(/\[UnknownProjection\].*Name one of notes/);
    });
  });

  it('fills a new version beside the old one', async () => {
    const [old, renewed] = [noting('notes'), { ...noting('notes'), version: 2 }];
    const first = parts.runner(store, [old]);
    await first.start();
    await first.waitFor(first.names, await appendAll(parts.log, [enabled('a')]), LONG_MS);
    const second = parts.runner(store, [renewed]);
    await second.prepare();
    expect(await statusOf(second, 'notes')).toMatchObject({ version: 2, status: 'catching-up' });
    await second.start();
    await second.caughtUpWithHead(LONG_MS);
    expect(await statusOf(first, 'notes')).toMatchObject({ version: 1, status: 'live' });
  });
});
