import { describe, expect, it } from '@jest/globals';
import type { Comparison } from './comparison.js';
import { measure } from './measure.js';

function comparisonOf(over: Partial<Comparison>): Comparison {
  return {
    name: 'sample',
    compared: 'this / that',
    unit: 'things',
    unitsPerCall: 10,
    blocks: 4,
    callsPerBlock: 2,
    ours: async () => undefined,
    bare: async () => undefined,
    ...over,
  };
}

describe('measure', () => {
  it('lets the sides take turns, each block in the other order, after one that does not count', async () => {
    const calls: string[] = [];
    const noting = (side: string) => async () => void calls.push(side);
    const { blocks } = await measure(comparisonOf({ ours: noting('o'), bare: noting('b') }));
    expect(calls.join('')).toBe(['oobb', 'oobb', 'bboo', 'oobb', 'bboo'].join(''));
    expect(blocks).toBe(4);
  });

  it('gives rates, their ratio, and the goal when there is one', async () => {
    const measured = await measure(comparisonOf({ goal: 0.5 }));
    expect(measured).toEqual({
      name: 'sample',
      compared: 'this / that',
      unit: 'things',
      goal: 0.5,
      blocks: 4,
      oursPerSecond: expect.any(Number),
      barePerSecond: expect.any(Number),
      ratio: expect.any(Number),
      spread: [expect.any(Number), expect.any(Number)],
    });
    expect(await measure(comparisonOf({}))).not.toHaveProperty('goal');
  });

  it('leaves out what is only waited for when it counts processor time', async () => {
    const ours = () => new Promise<void>((resolve) => setTimeout(resolve, 50));
    const compute = async () => {
      for (const start = process.cpuUsage(); process.cpuUsage(start).user < 10_000;);
    };
    const { ratio } = await measure(comparisonOf({ blocks: 3, ours, bare: compute, byProcessorTime: true }));
    // About a fifth by the clock, and far more than one where the wait does not count.
    expect(ratio).toBeGreaterThan(1);
  });

  it('fails when a side fails', async () => {
    const bare = () => Promise.reject(new Error('out of luck'));
    await expect(measure(comparisonOf({ bare }))).rejects.toThrow('out of luck');
  });
});
