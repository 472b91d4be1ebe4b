import { expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { isRejection } from '#lib/kernel';
import { llmCallsProjection } from '../llm-calls/llm-calls.projection.js';
import { listLlmCalls } from '../llm-calls/llm-calls.queries.js';
import type { LlmCallRow } from '../llm-calls/llm-call-record.js';
import { completion, llmCallCompleted, llmCallFailed, llmCallRequested } from '../testing/llm-events.js';
import { id, type PlacedEvent, solicitationStarted } from '../testing/sample-log.js';
import { TestParts } from '../testing/test-parts.js';
import { callCost } from './call-cost.js';
import type { PriceTable } from './price-table.js';
import { summarizeLlmCalls } from './summarize-llm-calls.js';

const hour = (n: number) => new Date(Date.UTC(2026, 0, 1, n)).toISOString();
const price = (inputPerMillion: number) => ({ inputPerMillion, outputPerMillion: 2 * inputPerMillion });
const prices: PriceTable = [
  { version: 'v2', from: hour(30), currency: 'USD', models: { 'model-0': price(3), 'model-1': price(1) } },
  { version: 'v1', from: hour(5), currency: 'USD', models: { 'model-0': price(5) } },
  { version: 'v3', from: hour(60), currency: 'EUR', models: { 'model-1': price(7) } },
];

const call = fc.record({
  model: fc.nat({ max: 2 }),
  hour: fc.nat({ max: 80 }),
  durationMs: fc.nat({ max: 9 }),
  usage: fc.record({ prompt_tokens: fc.nat(), completion_tokens: fc.nat() }, { requiredKeys: [] }),
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
    const events = [
      solicitationStarted(sessionId, 'alice', model),
      llmCallRequested(callId, 'tools', model),
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

/** By definition: the smallest that at least so many percent are no more than. */
function nearestRank(durations: readonly number[], percent: number): number | undefined {
  return durations
    .toSorted((a, b) => a - b)
    .find((one) => durations.filter((other) => other <= one).length * 100 >= percent * durations.length);
}

it('gives the percentiles and costs that going through the calls one by one gives', async () => {
  const asked = fc.record({
    by: fc.constantFrom('model', 'day'),
    version: fc.constantFrom(undefined, 'v2', 'v9'),
  });
  const property = fc.asyncProperty(
    fc.array(call, { maxLength: 60 }),
    asked,
    async (calls, { by, version }) => {
      const parts = new TestParts();
      try {
        const { db } = await parts.project(eventsOf(calls), [llmCallsProjection()]);
        const listed = await listLlmCalls(db, {}, { limit: 500 });
        if (isRejection(listed)) throw new Error(listed.message);
        const groupOf = ({ model, requestedAt }: LlmCallRow) =>
          by === 'day' ? `${model} ${requestedAt.slice(0, 10)}` : model;
        const summaries = await summarizeLlmCalls(db, {
          by,
          prices,
          ...(version !== undefined && { priceVersion: version }),
        });
        expect(summaries.map(({ model, day }) => (day === undefined ? model : `${model} ${day}`))).toEqual(
          [...new Set(listed.items.map(groupOf))].toSorted(),
        );
        for (const { model, day, latencyMs, costs, unpricedCalls } of summaries) {
          const group = day === undefined ? model : `${model} ${day}`;
          const own = listed.items.filter((one) => groupOf(one) === group);
          const durations = own.flatMap(({ durationMs }) => durationMs ?? []);
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
