import { describe, expect, it } from '@jest/globals';
import { metersOfCalls, MOST_MODELS } from './call-meters.js';
import { bucketOf, DURATION_BUCKETS_MS, NOT_MEASURED } from './duration-buckets.js';

const row = (model: string, parts: Partial<Parameters<typeof metersOfCalls>[0][number]> = {}) => ({
  provider: 'default',
  model,
  outcome: 'completed',
  price: '',
  bucket_ms: 250,
  calls: 1,
  retries: 0,
  duration_ms: 100,
  input_uncached: 0,
  cache_read: 0,
  cache_write: 0,
  output: 0,
  reasoning: 0,
  number: 1,
  ...parts,
});

describe('the meters of calls', () => {
  it('has a series for each of the first 100 models, and one for all others', () => {
    const rows = Array.from({ length: MOST_MODELS + 5 }, (_, n) => row(`m${n}`, { calls: n }));
    const meters = metersOfCalls(rows, [{ provider: 'default', model: 'm104', calls: '3' }]);
    expect(meters).toHaveLength(MOST_MODELS + 1);
    expect(meters.at(-2)).toMatchObject({ model: 'm99', outcomes: { completed: 99 } });
    expect(meters.at(-1)).toMatchObject({
      provider: 'other',
      model: 'other',
      open: 3,
      outcomes: { completed: 100 + 101 + 102 + 103 + 104 },
    });
  });

  it('prices each sum by its calls, and counts calls without a price as zero', () => {
    const tokens = { input_uncached: 1_000_000, cache_read: 2_000_000, output: 500_000, reasoning: 400_000 };
    const price = (inputPerMillion: number) =>
      JSON.stringify({ version: 'v', inputPerMillion, cacheReadPerMillion: 0.5, outputPerMillion: 4 });
    const rows = [
      row('m', { ...tokens, price: price(2) }),
      row('m', { ...tokens, price: price(3) }),
      row('m', tokens),
    ];
    const [meter] = metersOfCalls(rows, []);
    expect(meter).toMatchObject({ costUSD: 2 + 1 + 2 + 3 + 1 + 2, reasoningTokens: 1_200_000 });
  });

  it('counts each measured duration in all buckets that hold it', () => {
    const durations = [0, 250, 251, 120_000, 120_001, 1e9, undefined];
    const rows = durations.map((ms) => row('m', { bucket_ms: bucketOf(ms), duration_ms: ms ?? 0 }));
    const [meter] = metersOfCalls(rows, []);
    expect(bucketOf(undefined)).toBe(NOT_MEASURED);
    expect(meter?.duration).toEqual({
      sumMs: 250 + 251 + 120_000 + 120_001 + 1e9,
      count: 6,
      upTo: DURATION_BUCKETS_MS.map(
        (bound) => durations.filter((ms) => ms !== undefined && ms <= bound).length,
      ),
    });
  });
});
