import { expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { addTokens, inputTokens, NO_TOKENS } from '#lib/call-rules';
import { isRejection } from '#lib/kernel';
import { llmCallsModel } from '../llm-calls/llm-calls.read-model.js';
import { asRows, listLlmCalls } from '../llm-calls/llm-calls.queries.js';
import type { LlmCallRow } from '../llm-calls/llm-call-record.js';
import { completion, llmCallCompleted, llmCallFailed, llmCallRequested } from '../testing/llm-events.js';
import { id, type PlacedEvent, solicitationStarted } from '../testing/sample-log.js';
import { TestParts } from '../testing/test-parts.js';
import { callCost } from '../testing/call-cost.js';
import type { PriceTable } from './prices.js';
import { type ModelSummary, summarizeLlmCalls } from './summarize-llm-calls.js';

const hour = (n: number) => new Date(Date.UTC(2026, 0, 1, n)).toISOString();
const price = (inputPerMillion: number) => ({
  inputPerMillion,
  cacheReadPerMillion: inputPerMillion / 10,
  outputPerMillion: 2 * inputPerMillion,
});
const prices: PriceTable = [
  {
    version: 'v2',
    from: hour(30),
    currency: 'USD',
    models: { 'model-0': price(3), 'model-1': price(1), 'azure/model-0': price(4) },
  },
  { version: 'v1', from: hour(5), currency: 'USD', models: { 'model-0': price(5) } },
  { version: 'v3', from: hour(60), currency: 'EUR', models: { 'model-1': price(7) } },
];

const tokens = fc.nat({ max: 1_000_000 });
/** May have more cached tokens than the prompt. */
const details = fc.record({ cached_tokens: tokens, cache_write_tokens: tokens }, { requiredKeys: [] });
const call = fc.record({
  model: fc.nat({ max: 2 }),
  hour: fc.nat({ max: 80 }),
  durationMs: fc.nat({ max: 2_000 }),
  provider: fc.constantFrom('default', 'azure'),
  usage: fc.record(
    { prompt_tokens: tokens, completion_tokens: tokens, prompt_tokens_details: details },
    { requiredKeys: [] },
  ),
  fails: fc.boolean(),
});

function eventsOf(calls: readonly (typeof call extends fc.Arbitrary<infer C> ? C : never)[]): PlacedEvent[] {
  const sessionId = id('session');
  return calls.flatMap((one, n) => {
    const [model, solicitation, callId] = [`model-${one.model}`, id(`solicitation-${n}`), 'tools#1'];
    const completed = llmCallCompleted(callId, completion({ content: 'Well.' }, one.usage));
    const answer = one.fails
      ? llmCallFailed(callId)
      : { ...completed, data: { ...completed.data, durationMs: one.durationMs } };
    const { type, data } = llmCallRequested(callId, 'tools', model);
    const events = [
      solicitationStarted(sessionId, 'alice', model),
      { type, data: { ...data, provider: one.provider } },
      answer,
    ];
    const metadata = { occurredAt: hour(one.hour) };
    return events.map((event) => ({
      category: 'solicitation' as const,
      id: solicitation,
      event,
      correlationId: sessionId,
      metadata,
    }));
  });
}

/** Whole milliseconds of two significant digits. */
function twoDigits(ms: number): number {
  const step = 10 ** Math.max(0, String(ms).length - 2);
  return Math.floor(ms / step + 0.5) * step;
}

/** By definition: the smallest value that is at least as large as this share of all. */
function nearestRank(durations: readonly number[], percent: number): number | undefined {
  return durations
    .toSorted((a, b) => a - b)
    .find((one) => durations.filter((other) => other <= one).length * 100 >= percent * durations.length);
}

it('gives, for any span of time, the tokens, percentiles and costs that going through the calls one by one gives, and the same under a price list again after another', async () => {
  const asked = fc.record({
    by: fc.constantFrom('model', 'day'),
    version: fc.constantFrom(undefined, 'v2', 'v9'),
    from: fc.constantFrom(undefined, hour(0), hour(24), hour(31)),
    to: fc.constantFrom(undefined, hour(33), hour(48), hour(70)),
  });
  const property = fc.asyncProperty(
    fc.array(call, { maxLength: 60 }),
    asked,
    async (calls, { by, version, from, to }) => {
      const parts = new TestParts();
      try {
        const { db } = await parts.project(eventsOf(calls), [llmCallsModel]);
        const listed = await listLlmCalls(db, {}, { limit: 500 }, asRows);
        if (isRejection(listed)) throw new Error(listed.message);
        const groupOf = ({ provider, model, requestedAt }: LlmCallRow) =>
          [model, provider, ...(by === 'day' ? [requestedAt.slice(0, 10)] : [])].join(' ');
        const inTime = listed.items.filter(
          ({ requestedAt }) => (from ?? '') <= requestedAt && requestedAt < (to ?? '9'),
        );
        const summarized = (priceVersion?: string) =>
          summarizeLlmCalls(db, {
            by,
            prices,
            ...(priceVersion !== undefined && { priceVersion }),
            ...(from !== undefined && { from }),
            ...(to !== undefined && { to }),
          });
        const summaries = await summarized(version);
        await summarized('v1');
        expect(await summarized(version)).toEqual(summaries);
        const keyOf = ({ model, provider, day = '' }: ModelSummary) => `${model} ${provider} ${day}`.trim();
        expect(summaries.map(keyOf)).toEqual([...new Set(inTime.map(groupOf))].toSorted());
        for (const summary of summaries) {
          const { latencyMs, costs, unpricedCalls } = summary;
          const own = inTime.filter((one) => groupOf(one) === keyOf(summary));
          expect([summary.calls, summary.solicitations]).toEqual([own.length, own.length]);
          const sum = own.map((one) => one.tokens).reduce(addTokens, NO_TOKENS);
          expect([summary.tokens, summary.inputTokens]).toEqual([sum, inputTokens(sum)]);
          expect(Math.min(...own.flatMap((one) => Object.values(one.tokens)))).toBeGreaterThanOrEqual(0);
          const durations = own.flatMap(({ durationMs }) => durationMs ?? []).map(twoDigits);
          for (const percent of [50, 95, 99] as const)
            expect(latencyMs?.[`p${percent}`]).toBe(nearestRank(durations, percent));
          const priced = own.flatMap((one) => callCost(one, prices, version) ?? []);
          expect(unpricedCalls).toBe(own.length - priced.length);
          const currencies = [...new Set(priced.map(({ currency }) => currency))].toSorted();
          expect(costs.map(({ currency }) => currency)).toEqual(currencies);
          for (const { currency, amount } of costs) {
            const total = priced
              .filter((one) => one.currency === currency)
              .reduce((sum, one) => sum + one.amount, 0);
            expect(amount).toBeCloseTo(total, 6);
          }
        }
      } finally {
        await parts.close();
      }
    },
  );
  await fc.assert(property, { numRuns: 30 });
});
