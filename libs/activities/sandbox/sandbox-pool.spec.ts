import { afterEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { WholeSlice } from '#lib/call-rules';
import { type Json, type JsonObject, loadPart } from '#lib/kernel';
import { SandboxPool } from './sandbox-pool.js';
import { SliceTimedOut, SliceTooDeep, ThreadNotReady } from './sandbox-thread.js';
import { answersChecks } from './value-checks.js';

const MINUTE = 60_000;
const READY = "parentPort.postMessage('ready');";
const ANSWERS = `parentPort.on('message', ({ slice: { program: { code } } }) => {
  if (code === 'loop') for (;;);
  if (code === 'deep') return parentPort.postMessage('too deep');
  if (code === 'break') throw new Error('broken');
  parentPort.postMessage({ build: code });
});${READY}`;
const HANGS = 'setInterval(() => undefined, 1000);';
const DIES = "throw new Error('no memory');";
const MISSES = `throw Object.assign(new Error("Cannot find package 'acorn' imported from compile.mjs"), {
  code: 'ERR_MODULE_NOT_FOUND' });`;

function sliceOf(code: string, timeMs = MINUTE): WholeSlice {
  const limits = { ticks: 1, memoryBytes: 1, stackBytes: 1, timeMs };
  return {
    program: { code, tools: [], clock: '', seed: '', limits },
    variables: null,
    objects: [],
    outcomes: [],
    known: -1,
  };
}

describe('answersChecks', () => {
  /** The answers of the process to writes of these values to a property with this schema. */
  async function answers(schema: Json, values: readonly Json[]): Promise<readonly unknown[]> {
    const properties = [{ name: 'p', value: 0, schema: schema as JsonObject }];
    const port = answersChecks([{ name: 'o', properties }]);
    const all = [];
    for (const value of values) {
      const done = new Int32Array(new SharedArrayBuffer(4));
      port.postMessage({ object: 'o', property: 'p', value, done });
      const [answer] = (await once(port, 'message')) as [unknown];
      all.push(answer, done[0]);
    }
    port.close();
    return all;
  }

  it('says whether a value fits the schema of a property, which may be a boolean', async () => {
    expect(await answers({ maxLength: 1 }, ['a', 'ab'])).toEqual(['', 1, '/ maxLength {"limit":1}', 1]);
    expect(await answers(true, [1])).toEqual(['', 1]);
    expect(await answers(false, [1])).toEqual(['/ false schema {}', 1]);
  });

  it('wakes the thread also when the check throws', async () => {
    expect(await answers(7, [{}])).toEqual([expect.stringContaining('was not checked'), 1]);
  });
});

describe('SandboxPool', () => {
  let exits: Promise<unknown>[];
  let pool: SandboxPool;
  afterEach(() => pool.close());

  /** A pool of one thread at a time. Each new thread runs the next of these programs, or the last one. */
  function poolOf(programs: readonly string[], times = { startMs: MINUTE, idleMs: MINUTE }): void {
    exits = [];
    const make = () => {
      const program = programs[Math.min(exits.length, programs.length - 1)] ?? '';
      const prelude = "const { parentPort } = require('node:worker_threads');";
      const worker = new Worker(prelude + program, { eval: true });
      exits.push(new Promise((resolve) => worker.once('exit', resolve)));
      return worker;
    };
    pool = new SandboxPool(1, make, times);
  }

  it('gives up a thread that is not ready in time, and ends it', async () => {
    poolOf([HANGS], { startMs: 1, idleMs: MINUTE });
    await expect(pool.run(sliceOf('a'))).rejects.toBeInstanceOf(ThreadNotReady);
    await Promise.all(exits);
    expect(exits).toHaveLength(1);
  });

  it.each([
    ['dies before it is ready', [DIES, ANSWERS], 'a', 'no memory'],
    ['dies in a slice', [ANSWERS], 'break', 'broken'],
  ])('runs the next slices in a new thread after one that %s', async (_, programs, code, message) => {
    poolOf(programs);
    const all = [pool.run(sliceOf(code)), pool.run(sliceOf('b')), pool.run(sliceOf('c'))];
    const [failed, ...rest] = await Promise.allSettled(all);
    expect(failed).toMatchObject({ status: 'rejected', reason: { message } });
    expect(rest).toMatchObject([{ value: { build: 'b' } }, { value: { build: 'c' } }]);
    expect(exits).toHaveLength(2);
  });

  it('ends a thread that has had no slice for a while, and gives it none while it ends', async () => {
    poolOf([ANSWERS], { startMs: MINUTE, idleMs: 0 });
    await pool.run(sliceOf('a'));
    await Promise.all(exits);
    expect(await pool.run(sliceOf('b'))).toEqual({ build: 'b' });
    expect(exits).toHaveLength(2);
  });

  it('X-L6: names the packages that a thread misses', async () => {
    poolOf([MISSES]);
    const running = loadPart('code', () => pool.run(sliceOf('a')));
    await expect(running).rejects.toThrow(
      '[PackageMissing] cannot use code: the package acorn is not installed',
    );
  });

  it('runs a slice that waited behind one that was stopped for its time', async () => {
    poolOf([ANSWERS]);
    const all = [pool.run(sliceOf('loop', 1)), pool.run(sliceOf('b'))];
    const [stopped, next] = await Promise.allSettled(all);
    expect(stopped).toMatchObject({ reason: expect.any(SliceTimedOut) });
    expect(next).toMatchObject({ value: { build: 'b' } });
  });

  it('a slice that overflows the stack of its thread fails, and its thread ends; the next slice has another', async () => {
    poolOf([ANSWERS]);
    await expect(pool.run(sliceOf('deep'))).rejects.toThrow(SliceTooDeep);
    expect(await pool.run(sliceOf('next'))).toEqual({ build: 'next' });
    expect(exits).toHaveLength(2);
  });

  it('stops a slice that runs and one that waits after their signals, and all when it closes', async () => {
    poolOf([ANSWERS]);
    const [first, second] = [new AbortController(), new AbortController()];
    const all = [pool.run(sliceOf('loop'), first.signal), pool.run(sliceOf('b'), second.signal)];
    second.abort();
    await expect(all[1]).rejects.toMatchObject({ name: 'AbortError' });
    first.abort();
    await expect(all[0]).rejects.toMatchObject({ name: 'AbortError' });
    const closed = Promise.allSettled([pool.run(sliceOf('loop')), pool.run(sliceOf('b'))]);
    pool.close();
    for (const outcome of await closed) expect(outcome).toMatchObject({ reason: { name: 'AbortError' } });
  });
});
