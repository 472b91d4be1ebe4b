import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { addUsage, readUsage } from './usage.js';
import { type ModelPrice, tokenCost, usageCost } from './price.js';
import { tokenBuckets } from './token-buckets.js';

describe('usage', () => {
  it.each([
    [
      'OpenAI',
      {
        prompt_tokens: 100,
        completion_tokens: 20,
        prompt_tokens_details: { cached_tokens: 60 },
        completion_tokens_details: { reasoning_tokens: 15 },
      },
      { inputUncached: 40, cacheRead: 60, cacheWrite: 0, output: 20, reasoning: 15 },
    ],
    [
      'OpenRouter',
      {
        prompt_tokens: 100,
        completion_tokens: 20,
        prompt_tokens_details: { cached_tokens: 60, cache_write_tokens: 10 },
      },
      { inputUncached: 30, cacheRead: 60, cacheWrite: 10, output: 20, reasoning: 0 },
    ],
    [
      'Anthropic',
      {
        input_tokens: 30,
        output_tokens: 20,
        cache_read_input_tokens: 60,
        cache_creation_input_tokens: 10,
      },
      { inputUncached: 30, cacheRead: 60, cacheWrite: 10, output: 20, reasoning: 0 },
    ],
    [
      'DeepSeek',
      {
        prompt_tokens: 100,
        completion_tokens: 20,
        prompt_cache_hit_tokens: 60,
        prompt_cache_miss_tokens: 40,
      },
      { inputUncached: 40, cacheRead: 60, cacheWrite: 0, output: 20, reasoning: 0 },
    ],
  ])('of a reply in the members of %s is in disjoint buckets', (_, usage, buckets) => {
    expect(tokenBuckets(readUsage(usage) ?? {})).toEqual(buckets);
  });

  it('X-D10: drops what is not a count of tokens, member by member', () => {
    const usage = { prompt_tokens: -1, completion_tokens: 7, prompt_tokens_details: { cached_tokens: 0.5 } };
    expect(readUsage(usage)).toEqual({ completionTokens: 7 });
    expect(readUsage({ prompt_tokens: 2e9, cache_read_input_tokens: '3' })).toEqual({});
    expect(readUsage('many')).toBeUndefined();
  });

  it('has buckets that are never negative, and whose sums are the totals', () => {
    const count = fc.option(fc.nat({ max: 1e6 }), { nil: undefined });
    const reported = fc.record({
      prompt_tokens: count,
      completion_tokens: count,
      input_tokens: count,
      cache_read_input_tokens: count,
      cache_creation_input_tokens: count,
      prompt_tokens_details: fc.record({ cached_tokens: count }),
      completion_tokens_details: fc.record({ reasoning_tokens: count }),
    });
    fc.assert(
      fc.property(fc.array(reported), (replies) => {
        const all = replies.map((one) => readUsage(one) ?? {});
        for (const usage of all) {
          const buckets = tokenBuckets(usage);
          const { inputUncached, cacheRead, cacheWrite, output, reasoning } = buckets;
          expect(Math.min(...Object.values(buckets))).toBeGreaterThanOrEqual(0);
          expect(inputUncached + cacheRead + cacheWrite).toBe(usage.promptTokens ?? 0);
          expect(output).toBe(usage.completionTokens ?? 0);
          expect(reasoning).toBeLessThanOrEqual(output);
        }
        const total = all.reduce(addUsage, {});
        expect(total.promptTokens ?? 0).toBe(all.reduce((sum, one) => sum + (one.promptTokens ?? 0), 0));
      }),
    );
  });
});

describe('a cost', () => {
  const usage = { promptTokens: 1_000_000, completionTokens: 1_000_000, cachedTokens: 500_000 };

  it('has a price for each bucket; caches cost as other input when they have none', () => {
    const price = { inputPerMillion: 2, outputPerMillion: 10 };
    expect(usageCost(price, usage)).toBe(12);
    expect(usageCost({ ...price, cacheReadPerMillion: 0.2 }, usage)).toBeCloseTo(11.1);
    expect(usageCost({ ...price, cacheWritePerMillion: 4 }, { ...usage, cacheWriteTokens: 250_000 })).toBe(
      12.5,
    );
  });

  it('is known only with a price and both usages', () => {
    expect(usageCost(undefined, usage)).toBeUndefined();
    expect(usageCost({ inputPerMillion: 1, outputPerMillion: 1 }, { promptTokens: 1 })).toBeUndefined();
  });

  it('by one list, then another, then the first is the same as before', () => {
    const amount = fc.nat({ max: 1_000 });
    const price: fc.Arbitrary<ModelPrice> = fc.record(
      { inputPerMillion: amount, outputPerMillion: amount, cacheReadPerMillion: amount },
      { requiredKeys: ['inputPerMillion', 'outputPerMillion'] },
    );
    const tokens = fc.record({ promptTokens: fc.nat(), completionTokens: fc.nat(), cachedTokens: fc.nat() });
    fc.assert(
      fc.property(price, price, tokens, (a, b, used) => {
        const buckets = tokenBuckets(used);
        const [first, , again] = [a, b, a].map((list) => tokenCost(list, buckets));
        expect(again).toBe(first);
        expect(first).toBeGreaterThanOrEqual(0);
      }),
    );
  });
});
