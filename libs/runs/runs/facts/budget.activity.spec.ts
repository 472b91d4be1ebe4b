import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { BudgetCheck } from '#lib/call-rules';
import { ReadSide, WrittenPosition } from '#lib/operations/core';
import {
  appendAll,
  id,
  llmCallCompleted,
  llmCallRequested,
  type PlacedEvent,
  solicitationStarted,
  TestParts,
  timeOf,
  toolCallReply,
} from '#lib/read-models/testing';
import type { CallContext } from '#lib/workflow';
import { budgetActivity } from './budget.activity.js';

const LONG_MS = 20_000;

/** A run of this specialist that has made a call of 14 tokens. */
function called(run: string, session: string, specialistId: string): readonly PlacedEvent[] {
  const one = { category: 'solicitation', id: id(run), correlationId: id(session) } as const;
  return [
    { ...one, event: solicitationStarted(id(session), specialistId) },
    { ...one, event: llmCallRequested('ask#1') },
    { ...one, event: llmCallCompleted('ask#1', toolCallReply) },
  ];
}

describe('0.2-O4: the check of a budget while a run stands still', () => {
  let parts: TestParts;
  let check: (whose: Partial<BudgetCheck>) => Promise<unknown>;

  beforeEach(async () => {
    parts = new TestParts();
    const store = await parts.openStore();
    const runner = parts.runner(store);
    await appendAll(parts.log, [
      ...called('a', 'one', 'alice'),
      ...called('b', 'two', 'alice'),
      ...called('c', 'three', 'bob'),
    ]);
    await runner.start();
    const reads = new ReadSide(runner, new WrittenPosition(), LONG_MS);
    const activity = budgetActivity(reads, store, { now: () => new Date(timeOf(100)) });
    const context = { signal: new AbortController().signal } as CallContext;
    check = (whose) =>
      activity.perform(
        {
          per: 'session',
          machineName: 'review',
          specialistId: 'alice',
          sessionId: id('one'),
          max: { maxTokens: 100 },
          estimate: { tokens: 1, costUSD: 0 },
          ...whose,
        },
        context,
        undefined,
      );
  });
  afterEach(() => parts.close());

  /** Makes the next event of the run undecodable. */
  const spoil = (run: string) =>
    parts.log.store.append(parts.log.streams.of('solicitation', id(run)), 'any', [
      { eventId: id(`bad ${run}`), type: 'LlmCallRequested', data: '[]', metadata: '{"schemaVersion":1}' },
    ]);
  const spent = (tokens: number) => ({ completed: { spent: { tokens } } });
  const refused = { failed: { failure: { kind: 'stands-still', retryable: false } } };

  it('fails for the session and the day in which its calls count, and for no others', async () => {
    expect(await check({})).toMatchObject(spent(14));
    expect(await check({ per: 'day' })).toMatchObject(spent(28));
    await spoil('b');
    expect(await check({})).toMatchObject(spent(14));
    expect(await check({ per: 'day' })).toMatchObject(refused);
    expect(await check({ sessionId: id('two') })).toMatchObject(refused);
    expect(await check({ per: 'day', specialistId: 'bob' })).toMatchObject(spent(14));
  });
});
