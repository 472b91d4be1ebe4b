import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { id, timeOf } from '../testing/sample-log.js';
import { inSession, override, proposalOf } from '../testing/session-events.js';
import { TestParts } from '../testing/test-parts.js';
import { exemplarsModel, listExemplars } from './exemplars.read-model.js';

const sessionId = id('session');
const odd = 'odd \ud800\0 name';
const proposals = [
  proposalOf('a', 'constructor', { metaJson: { z: 1, a: [null] } }),
  proposalOf('b', 'approve'),
];
const first = override(proposals, { metaJson: { sure: true } });
const inOdd = override([], { roundId: 'r2', transitionName: odd, toState: odd });
const second = { ...inOdd, data: { ...inOdd.data, fromState: odd } };
const third = override([], { roundId: 'r3', scope: { machineName: 'other' } });

let parts: TestParts;
beforeEach(async () => {
  parts = new TestParts();
});
afterEach(() => parts.close());

const project = () =>
  parts.project(
    [first, second, third].map((event) => inSession(sessionId, event)),
    [exemplarsModel],
  );

it('keeps a decision of a person with all that was before them', async () => {
  const { db } = await project();
  const { reasoning, transitionName, toState, specialistId } = first.data;
  const page = await listExemplars(db, { machineName: 'review', state: 'draft' });
  expect(page).toEqual({
    items: [
      {
        sessionId,
        roundId: 'r1',
        machineName: 'review',
        state: 'draft',
        specialistId,
        transitionName,
        toState,
        reasoning,
        metaJson: { sure: true },
        proposals,
        imported: false,
        decidedAt: timeOf(0),
      },
    ],
    nextCursor: null,
  });
});

it('lists those of a machine or one of its states, newest first', async () => {
  const { db } = await project();
  const rounds = async (...filter: [{ machineName: string; state?: string }, { limit: number }?]) => {
    const page = await listExemplars(db, ...filter);
    return 'items' in page ? page.items.map(({ roundId }) => roundId) : page;
  };
  expect(await rounds({ machineName: 'review' })).toEqual(['r2', 'r1']);
  expect(await rounds({ machineName: 'review' }, { limit: 1 })).toEqual(['r2']);
  expect(await rounds({ machineName: 'review', state: odd })).toEqual(['r2']);
  expect(await rounds({ machineName: 'review', state: 'nowhere' })).toEqual([]);
});
