import { afterEach, beforeEach, expect, it } from '@jest/globals';
import type { EvaluationCompleted, EvaluationEvent, EvaluationStarted } from '#lib/evaluation';
import { id, type PlacedEvent, timeOf } from '../testing/sample-log.js';
import { specialistsProjection } from '../specialists/specialists.projection.js';
import { TestParts } from '../testing/test-parts.js';
import { evaluationsProjection } from './evaluations.projection.js';
import { listEvaluations, listOpenEvaluations } from './evaluations.queries.js';

const of = (name: string, event: EvaluationEvent): PlacedEvent => ({
  category: 'evaluation',
  id: id(name),
  event,
});
const details = (name: string, specialistId: string) =>
  ({
    evaluationId: id(name),
    specialistId,
    specialistVersion: 2,
    specialistMachine: 'review',
    machineName: 'review',
    against: 'exemplars',
  }) as const;

const registered: PlacedEvent = {
  category: 'specialist',
  id: 'review/a',
  event: {
    type: 'ProposerRegistered',
    data: { specialistId: 'a', machineName: 'review', version: 1, isHuman: false },
  },
};

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
  const { db } = await parts.project([registered, ...events], [evaluationsProjection, specialistsProjection]);
  const two = { ...details('two', 'a'), status: 'running', startedAt: timeOf(2), rounds: 1 };
  const one = {
    ...details('one', 'a'),
    status: 'completed',
    startedAt: timeOf(1),
    completedAt: timeOf(4),
    ...result,
    costUSD: result.totalCostUSD,
  };
  expect(await listEvaluations(db, { specialistId: 'a' })).toEqual({ items: [two, one], nextCursor: null });
  expect(await listEvaluations(db, { specialistId: 'constructor' })).toMatchObject({
    code: 'unknown-specialist',
  });
  const first = await listEvaluations(db, { specialistId: 'a' }, { limit: 1 });
  expect(first).toMatchObject({ items: [two] });
  const cursor = ('items' in first && first.nextCursor) || '';
  expect(await listEvaluations(db, { specialistId: 'a' }, { cursor })).toEqual({
    items: [one],
    nextCursor: null,
  });
});

it('lists those that are not complete, oldest first', async () => {
  const { db } = await parts.project([registered, ...events], [evaluationsProjection, specialistsProjection]);
  const open = await listOpenEvaluations(db, { limit: 1 });
  expect(open).toMatchObject({ items: [{ evaluationId: id('two') }] });
  const cursor = ('items' in open && open.nextCursor) || '';
  expect(await listOpenEvaluations(db, { cursor })).toMatchObject({
    items: [{ evaluationId: id('other') }],
    nextCursor: null,
  });
});
