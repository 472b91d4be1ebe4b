import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { StoredEvent } from '#lib/event-store';
import { ProjectionRunner } from '../runner/projection-runner.js';
import type { ReadStore } from '../store/read-store.js';
import { statement } from '../store/statement.js';
import { doorsModel, doorsTable, type DoorTables, opened } from '../testing/counted-doors.js';
import { appendAll } from '../testing/sample-log.js';
import { loopOf } from '../testing/loop-of.js';
import { TestParts } from '../testing/test-parts.js';
import { tableIn } from './record-codec.js';
import { standingStillTable } from './standing-still.js';

describe('rows that are filled again', () => {
  let parts: TestParts;
  let store: ReadStore;
  beforeEach(async () => {
    parts = new TestParts();
    store = await parts.openStore();
  });
  afterEach(() => parts.close());

  const untilLive = async (runner: ProjectionRunner) => {
    while ((await runner.status())[0]?.status !== 'live')
      await new Promise((resolve) => setTimeout(resolve, 5));
  };
  const drop = (table: string) =>
    store.write([statement({}, () => store.db.schema.dropTable(tableIn('b', table)))({})]);

  it('come from pages of few bytes, whatever the size of the events', async () => {
    const pad = 'x'.repeat(200_000);
    for (let n = 0; n < 60; n++) {
      const data = JSON.stringify({ pad });
      const event = { eventId: `e${n}`, type: 'SpecialistEnabled', data, metadata: '{"schemaVersion":1}' };
      await parts.log.store.append(`redial_specialist-s${n}`, 'any', [event]);
    }
    const runner = parts.runner(store, [doorsModel()]);
    const read = parts.log.store.readAll.bind(parts.log.store);
    const sizes: number[] = [];
    const sizeOf = ({ data }: StoredEvent) => data.length;
    const spied = jest.spyOn(parts.log.store, 'readAll').mockImplementation(async (options) => {
      const page = await read(options);
      sizes.push(page.reduce((sum, event) => sum + sizeOf(event), 0));
      return page;
    });
    await runner.prepare();
    await runner.rebuild('doors');
    await runner.start();
    await runner.caughtUpWithHead(20_000);
    await untilLive(runner);
    spied.mockRestore();
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeGreaterThan(2 * 60 * pad.length);
    expect(Math.max(...sizes)).toBeLessThan(5 * 1024 * 1024);
  });

  it('say why they cannot be filled, once, and are given up and filled from the start when that is asked for again', async () => {
    const reported: string[] = [];
    const onStopped = (name: string, { message }: { readonly message: string }) =>
      void reported.push(`${name}: ${message}`);
    await appendAll(parts.log, [opened('a')]);
    const runner = new ProjectionRunner(parts.log, store, [loopOf([doorsModel()])], { onStopped });
    await runner.prepare();
    await runner.rebuild('doors');
    await drop(standingStillTable.name);
    await runner.start();
    while (!(await runner.status())[0]?.error) await new Promise((resolve) => setTimeout(resolve, 5));
    const missing = expect.stringContaining('no such table: standing_still_b_v');
    expect(await runner.status()).toMatchObject([{ status: 'rebuilding', error: { message: missing } }]);
    runner.retry('doors');
    expect(reported).toEqual([expect.stringMatching(/^read loop rows v\d+ filling: .*no such table/)]);
    await runner.rebuild('doors');
    await untilLive(runner);
    expect((await runner.status())[0]).not.toHaveProperty('error');
    await runner.stop();
    const rows = await store.db.withTables<DoorTables>().selectFrom(doorsTable.name).selectAll().execute();
    expect(rows).toMatchObject([{ door_id: 'a', is_open: 1 }]);
  });

  it('are filled and read however often that is asked for meanwhile', async () => {
    await appendAll(parts.log, [opened('a'), opened('b')]);
    const runner = parts.runner(store, [doorsModel()]);
    await runner.start();
    for (let n = 0; n < 50; n++) await runner.rebuild('doors');
    await untilLive(runner);
    const rows = await store.db.withTables<DoorTables>().selectFrom(doorsTable.name).selectAll().execute();
    expect(rows.map((row) => row.door_id)).toEqual(['a', 'b']);
  });
});
