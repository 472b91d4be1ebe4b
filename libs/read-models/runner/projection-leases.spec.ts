import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { StoredLeases } from '../leases/stored-leases.js';
import { type LeaseHolder, systemTime } from '#lib/workflow';
import type { ReadStore } from '../store/read-store.js';
import { alone, enabled, noting } from '../testing/noting.js';
import { appendAll } from '../testing/sample-log.js';
import { TestParts } from '../testing/test-parts.js';
import type { ReadModel } from '../loop/declare.js';
import { ProjectionRunner } from './projection-runner.js';

const LONG_MS = 20_000;
const TTL_MS = 400;
/** A loop that no query waits for. */
const NEVER_MS = 1_000_000;

describe('runners of loops under leases', () => {
  let parts: TestParts;
  let store: ReadStore;
  let leases: StoredLeases;
  let runners: ProjectionRunner[];
  /** The time of the leases: none expires while the machine is busy. */
  let now: number;
  beforeEach(async () => {
    parts = new TestParts();
    store = await parts.openStore();
    now = 0;
    leases = await StoredLeases.open(store, { now: () => new Date(now) });
    runners = [];
  });
  afterEach(async () => {
    for (const runner of runners) await runner.stop();
    await parts.close();
  });

  const holder = (owner: string, ttlMs: number): LeaseHolder => ({ leases, owner, ttlMs, time: systemTime });
  async function run(owner: string, model: ReadModel, ttlMs = TTL_MS): Promise<ProjectionRunner> {
    const runner = new ProjectionRunner(parts.log, store, [alone(model)], {
      holder: holder(owner, ttlMs),
    });
    runners.push(runner);
    await runner.start();
    return runner;
  }
  const append = async (name: string, n: number) => appendAll(parts.log, [enabled(name)], n);

  it('let one of them take the events, and the other know how far it came', async () => {
    const [mine, others] = [noting('notes'), noting('notes')];
    const one = await run('one', mine, NEVER_MS);
    await one.waitFor(one.names, await append('a', 0), LONG_MS);
    const other = await run('other', others, NEVER_MS);
    const position = await append('b', 1);
    await other.waitFor(other.names, position, LONG_MS);
    expect([mine.taken, others.taken]).toEqual([['a', 'b'], []]);
    expect(await other.status()).toMatchObject([{ status: 'live', position }]);
  });

  it('hand over when one stops', async () => {
    const others = noting('notes');
    const one = await run('one', noting('notes'));
    await one.waitFor(one.names, await append('a', 0), LONG_MS);
    const other = await run('other', others);
    await one.stop();
    await other.waitFor(other.names, await append('b', 1), LONG_MS);
    expect(others.taken).toEqual(['b']);
  });

  it('pass to another process when one dies, which continues from its place', async () => {
    const notes = noting('notes');
    await leases.acquire('read loop of notes v1', 'a dead process', TTL_MS);
    const runner = await run('one', notes);
    const position = await append('a', 0);
    now += TTL_MS;
    await runner.waitFor(runner.names, position, LONG_MS);
    expect(notes.taken).toEqual(['a']);
    expect(await leases.acquire('read loop of notes v1', 'a dead process', TTL_MS)).toBeUndefined();
  });

  it('give a loop that one cannot run on to one that can', async () => {
    const [failing, fit] = [noting('notes'), noting('notes')];
    failing.fault = 'a';
    const one = await run('one', failing);
    const position = await append('a', 0);
    const other = await run('other', fit);
    await other.waitFor(other.names, position, LONG_MS);
    expect([failing.taken, fit.taken]).toEqual([[], ['a']]);
    expect(await one.status()).toHaveLength(1);
  });

  it('begin a rebuild that another one asks for', async () => {
    const mine = noting('notes');
    const one = await run('one', mine, NEVER_MS);
    await one.waitFor(one.names, await append('a', 0), LONG_MS);
    const others = noting('notes');
    const other = await run('other', others, NEVER_MS);
    await other.caughtUpWithHead(LONG_MS);
    await other.rebuild('notes');
    while ((await other.status())[0]?.status !== 'live')
      await new Promise((resolve) => setImmediate(resolve));
    expect([...mine.taken, ...others.taken]).toEqual(['a', 'a']);
  });
});
