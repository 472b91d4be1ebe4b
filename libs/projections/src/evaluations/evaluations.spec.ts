import { afterEach, beforeEach, expect, it } from '@jest/globals';
import type { EvaluationCompleted, EvaluationEvent, EvaluationStarted } from '#lib/evaluation';
import { id, type PlacedEvent, timeOf } from '../testing/sample-log.js';
import { TestParts } from '../testing/test-parts.js';
import { evaluationsProjection } from './evaluations.projection.js';
import { listEvaluations, listOpenEvaluations } from './evaluations.queries.js';

const of = (name: string, event: EvaluationEvent): PlacedEvent => ({
  category: 'evaluation',
  id: id(name),
  event,
});
const details = (name: string, specialistId: string) =>
  ({ evaluationId: id(name), specialistId, machineName: 'review', against: 'exemplars' }) as const;

function started(name: string, specialistId = 'a'): PlacedEvent {
  const samples: EvaluationStarted['data']['samples'] = [
    {
      sampleId: id('x'),
      sessionId: id('s'),
      roundId: 'r',
      state: '\0',
      transitionName: '\ud800',
      toState: '',
    },
  ];
  return of(name, { type: 'EvaluationStarted', data: { ...details(name, specialistId), samples } });
}

const result: EvaluationCompleted['data'] = {
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
const completed = (name: string) => of(name, { type: 'EvaluationCompleted', data: result });

let parts: TestParts;
beforeEach(() => {
  parts = new TestParts();
});
afterEach(() => parts.close());

const events = [started('one'), started('two'), started('other', 'b'), completed('one')];

it('lists the evaluations of a specialist, newest first, with what came of those that are complete', async () => {
  const { db } = await parts.project(events, [evaluationsProjection]);
  const two = { ...details('two', 'a'), status: 'running', startedAt: timeOf(1), rounds: 1 };
  const one = {
    ...details('one', 'a'),
    status: 'completed',
    startedAt: timeOf(0),
    completedAt: timeOf(3),
    ...result,
  };
  expect(await listEvaluations(db, 'a')).toEqual({ items: [two, one], nextCursor: null });
  expect(await listEvaluations(db, 'constructor')).toEqual({ items: [], nextCursor: null });
  const first = await listEvaluations(db, 'a', { limit: 1 });
  expect(first).toMatchObject({ items: [two] });
  const cursor = ('items' in first && first.nextCursor) || '';
  expect(await listEvaluations(db, 'a', { cursor })).toEqual({ items: [one], nextCursor: null });
});

it('lists those that are not complete, oldest first', async () => {
  const { db } = await parts.project(events, [evaluationsProjection]);
  const open = await listOpenEvaluations(db, { limit: 1 });
  expect(open).toMatchObject({ items: [{ evaluationId: id('two') }] });
  const cursor = ('items' in open && open.nextCursor) || '';
  expect(await listOpenEvaluations(db, { cursor })).toMatchObject({
    items: [{ evaluationId: id('other') }],
    nextCursor: null,
  });
});
