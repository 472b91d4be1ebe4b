import { afterEach, beforeEach, expect, it } from '@jest/globals';
import type { Event, JsonObject } from '#lib/kernel';
import { id, type PlacedEvent, specialistsModel, TestParts, timeOf } from '#lib/read-models/testing';
import { evaluationsModel, listEvaluations } from './evaluations.read-model.js';
import { inputOf, sample } from './testing/evaluated.js';

const of = (name: string, event: Event): PlacedEvent => ({ category: 'evaluation', id: id(name), event });
const details = (name: string, specialistId: string) => {
  const { samples: _, ...rest } = inputOf([]);
  return { ...rest, evaluationId: id(name), specialistId };
};
const registered: PlacedEvent = {
  category: 'specialist',
  id: 'loans/a',
  event: {
    type: 'ProposerRegistered',
    data: { specialistId: 'a', machineName: 'loans', version: 1, isHuman: false },
  },
};
const started = (name: string, specialistId = 'a') => {
  const input = { ...details(name, specialistId), samples: [sample('x')] } as object as JsonObject;
  return of(name, {
    type: 'WorkflowStarted',
    data: { workflow: 'evaluation', version: 1, input, facts: {} },
  });
};
const result = {
  rounds: 1,
  matchingChoices: 1,
  transitionRate: 1,
  stateRate: 1,
  alignmentScore: 0.2,
  totalCostUSD: 0.1 + 0.2,
  meanLatencyMsec: null,
  numInputTokens: null,
  numOutputTokens: 3,
  failures: 0,
};
const events = [
  registered,
  started('one'),
  started('two'),
  started('other', 'b'),
  of('one', { type: 'WorkflowEnded', data: { status: 'completed', result } }),
  started('given up'),
  of('given up', { type: 'WorkflowGivenUp', data: { reason: '\0' } }),
];

let parts: TestParts;
beforeEach(() => {
  parts = new TestParts();
});
afterEach(() => parts.close());

it('lists the evaluations of a specialist, newest first, with what came of those that have ended', async () => {
  const { db } = await parts.project(events, [specialistsModel, evaluationsModel]);
  const givenUp = {
    ...details('given up', 'a'),
    status: 'failed',
    failure: { kind: 'given-up', message: '\0' },
    startedAt: timeOf(5),
    completedAt: timeOf(6),
    rounds: 1,
  };
  const two = { ...details('two', 'a'), status: 'running', startedAt: timeOf(2), rounds: 1 };
  const one = {
    ...details('one', 'a'),
    status: 'completed',
    startedAt: timeOf(1),
    completedAt: timeOf(4),
    ...result,
    costUSD: result.totalCostUSD,
  };
  expect(await listEvaluations(db, { specialistId: 'a' })).toEqual({
    items: [givenUp, two, one],
    nextCursor: null,
  });
  const first = await listEvaluations(db, { specialistId: 'a' }, { limit: 2 });
  const cursor = ('items' in first && first.nextCursor) || '';
  expect(await listEvaluations(db, { specialistId: 'a' }, { cursor })).toEqual({
    items: [one],
    nextCursor: null,
  });
  expect(await listEvaluations(db, { specialistId: 'constructor' })).toMatchObject({
    code: 'unknown-specialist',
  });
});
