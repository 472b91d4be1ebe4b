import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { setImmediate as nextPass } from 'node:timers/promises';
import { ThreadTurns } from './thread-turns.js';

/** Longer than the share of a pass with one read. */
const LONG_MS = 6;

/** The clock of the thread. Other work of the machine takes none of a share. */
let now: number;
let clock: jest.SpiedFunction<typeof performance.now>;

beforeEach(() => {
  now = 0;
  clock = jest.spyOn(performance, 'now').mockImplementation(() => now);
});
afterEach(() => clock.mockRestore());

function hold(ms: number): void {
  now += ms;
}

/** The number of passes of the event loop until `isOver`. */
async function countPasses(isOver: () => boolean): Promise<number> {
  let passes = 0;
  for (; !isOver(); passes += 1) await nextPass();
  return passes;
}

describe('ThreadTurns', () => {
  it.each([true, false])('takes turns in their order, with readers: %s', async (hasReaders) => {
    const turns = new ThreadTurns();
    if (hasReaders) turns.readerCame();
    const seen: number[] = [];
    const all = Array.from({ length: 50 }, (_, index) => index);
    turns.take(all.slice(0, 20).map((index) => () => seen.push(index)));
    turns.take(all.slice(20).map((index) => () => seen.push(index)));
    await countPasses(() => seen.length === all.length);
    expect(seen).toEqual(all);
  });

  it('begins a turn beside a reader when all that follows from the one before it without a wait is done', async () => {
    const turns = new ThreadTurns();
    turns.readerCame();
    const seen: string[] = [];
    const run = async (name: string) => {
      await turns.next();
      for (const step of [1, 2, 3]) {
        seen.push(`${name}${step}`);
        await Promise.resolve();
      }
    };
    await Promise.all(['a', 'b', 'c'].map(run));
    expect(seen).toEqual(['a1', 'a2', 'a3', 'b1', 'b2', 'b3', 'c1', 'c2', 'c3']);
  });

  it('leaves turns to the next pass of the event loop once a pass has had its share', async () => {
    const turns = new ThreadTurns();
    turns.readerCame();
    let taken = 0;
    const held = Array.from({ length: 5 }, () => () => {
      hold(LONG_MS);
      taken += 1;
    });
    turns.take(held);
    expect(await countPasses(() => taken === held.length)).toBeGreaterThanOrEqual(held.length - 1);
  });

  it('has a longer share of a pass for each of its reads', async () => {
    const turns = new ThreadTurns();
    for (let reads = 0; reads < 200; reads += 1) turns.readerCame();
    let taken = 0;
    const held = Array.from({ length: 5 }, () => () => {
      hold(LONG_MS);
      taken += 1;
    });
    turns.take(held);
    expect(await countPasses(() => taken === held.length)).toBe(1);
  });

  it('takes 16 turns at once in a pass of the event loop while no client reads', async () => {
    const turns = new ThreadTurns();
    const taken: number[] = [];
    const counts: number[] = [];
    turns.take(Array.from({ length: 40 }, (_, index) => () => taken.push(index)));
    for (; taken.length < 40; await nextPass()) counts.push(taken.length);
    expect(counts).toEqual([16, 32]);
  });

  it('waits for no turn while no client reads', async () => {
    const turns = new ThreadTurns();
    const seen: string[] = [];
    const waiting = turns.next().then(() => seen.push('next'));
    await Promise.resolve();
    await Promise.resolve();
    seen.push('other');
    await waiting;
    expect(seen).toEqual(['next', 'other']);
  });
});
