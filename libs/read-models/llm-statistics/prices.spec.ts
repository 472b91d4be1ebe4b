import { expect, it } from '@jest/globals';
import { NO_TOKENS } from '#lib/call-rules';
import { callCost } from '../testing/call-cost.js';
import type { PriceTable } from './prices.js';

const models = { m: { inputPerMillion: 2, outputPerMillion: 10 } };
const prices: PriceTable = [
  {
    version: 'new',
    from: '2026-02-01T00:00:00Z',
    currency: 'EUR',
    models: { m: { inputPerMillion: 1, outputPerMillion: 1 } },
  },
  { version: 'old', from: '2026-01-01T00:00:00Z', currency: 'USD', models },
];
const call = (requestedAt: string, model = 'm', provider = 'default') => ({
  provider,
  model,
  requestedAt,
  usage: { prompt_tokens: 500_000, completion_tokens: 100_000 },
  tokens: { ...NO_TOKENS, inputUncached: 500_000, output: 100_000 },
});

it('prices a call by the version in force when it was requested', () => {
  const old = { amount: 2, currency: 'USD', version: 'old' };
  const now = { amount: 0.6, currency: 'EUR', version: 'new' };
  expect(callCost(call('2026-01-01T00:00:00.000Z'), prices)).toEqual(old);
  expect(callCost(call('2026-01-31T23:59:59.999Z'), prices)).toEqual(old);
  expect(callCost(call('2026-02-01T00:00:00.000Z'), prices)).toEqual(now);
});

it('prices a call again by a version that is chosen, whenever it was', () => {
  expect(callCost(call('2020-01-01T00:00:00Z'), prices, 'new')).toMatchObject({ amount: 0.6 });
  expect(callCost(call('2026-03-01T00:00:00Z'), prices, 'old')).toMatchObject({ amount: 2 });
});

it('knows no price before the first version, of an unknown model or version, and without both usages', () => {
  const at = '2026-03-01T00:00:00Z';
  expect(callCost(call('2025-12-31T23:59:59Z'), prices)).toBeNull();
  expect(callCost(call(at, 'constructor'), prices)).toBeNull();
  expect(callCost(call(at), prices, 'never')).toBeNull();
  const { usage: _, ...unreported } = call(at);
  expect(callCost(unreported, prices)).toBeNull();
  expect(callCost({ ...unreported, usage: { prompt_tokens: 1 } }, prices)).toBeNull();
});

it('prices cached tokens by themselves, and a model by its provider first', () => {
  const [read, write] = [{ cacheReadPerMillion: 0.2 }, { cacheWritePerMillion: 3 }];
  const own = { m: { ...models.m, ...read, ...write }, 'azure/m': { ...models.m, inputPerMillion: 4 } };
  const table = [{ version: 'v', from: '2026-01-01T00:00:00Z', currency: 'USD', models: own }];
  const tokens = { inputUncached: 100_000, cacheRead: 300_000, cacheWrite: 100_000, output: 0, reasoning: 0 };
  const at = '2026-02-01T00:00:00Z';
  expect(callCost({ ...call(at), tokens }, table)?.amount).toBeCloseTo(0.2 + 0.06 + 0.3);
  expect(callCost({ ...call(at, 'm', 'azure'), tokens }, table)?.amount).toBeCloseTo(0.5 * 4);
});

it('lets the later of two versions of one time count', () => {
  const again = { version: 'again', from: '2026-02-01T00:00:00Z', currency: 'USD', models };
  expect(callCost(call('2026-02-01T00:00:00Z'), [...prices, again])).toMatchObject({ version: 'again' });
});

it('counts what costs nothing as priced', () => {
  const free = [
    {
      version: 'free',
      from: '2026-01-01T00:00:00Z',
      currency: 'USD',
      models: { m: { inputPerMillion: 0, outputPerMillion: 0 } },
    },
  ];
  expect(callCost(call('2026-02-01T00:00:00Z'), free)).toMatchObject({ amount: 0 });
});
