import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { id, type PlacedEvent, sampleMachine, sessionCreated, timeOf } from '../testing/sample-log.js';
import {
  consensus,
  executed,
  inSession,
  noAlignment,
  override,
  proposalOf,
  submitted,
} from '../testing/session-events.js';
import { TestParts } from '../testing/test-parts.js';
import { sessionsModel } from '../sessions/sessions.read-model.js';
import { type DecisionFilter, listDecisions } from './decisions.queries.js';

const sessionId = id('session');
const created = (name = 'session', machineName = 'review') =>
  inSession(id(name), sessionCreated(id(name), { ...sampleMachine, machineName }));
const here = (event: Parameters<typeof inSession>[1]) => inSession(sessionId, event);
const refOf = ({
  proposalId,
  specialistId,
  specialistVersion,
  isHuman,
  transitionName,
}: ReturnType<typeof proposalOf>) => ({
  proposalId,
  specialistId,
  specialistVersion,
  isHuman,
  transitionName,
});

let parts: TestParts;
beforeEach(() => {
  parts = new TestParts();
});
afterEach(() => parts.close());

async function decided(filter: DecisionFilter, ...events: PlacedEvent[]) {
  const { db } = await parts.project(events, [sessionsModel]);
  const page = await listDecisions(db, filter);
  if (!('items' in page)) throw new Error(page.message);
  return page.items;
}

const executedHere = {
  sessionId,
  machineName: 'review',
  position: expect.any(String),
  roundId: 'r1',
  fromState: 'draft',
  toState: 'constructor',
  transitionName: 'approve',
  reasoning: 'fine',
};

it('D-42: shows a consensus with all that it rests on, the threshold that the arbiter went by included', async () => {
  const alignment = {
    ...noAlignment,
    position: 'log.1',
    scores: [{ specialistId: 'a', specialistVersion: 1, score: 0.5 }],
  };
  const [winner] = [proposalOf('a', 'approve')];
  const [decision] = await decided(
    {},
    created(),
    here(submitted('a', 'approve')),
    here(submitted('b', 'constructor', { isHuman: true })),
    here(consensus({ margin: 0.25, threshold: 0.125, alignment, winningProposalId: winner.proposalId })),
    here(executed({ proposalId: winner.proposalId })),
  );
  expect(decision).toEqual({
    ...executedHere,
    revision: 4,
    how: 'consensus',
    isHuman: false,
    arbiterId: 'judge',
    winningProposalId: winner.proposalId,
    proposals: [refOf(winner), refOf(proposalOf('b', 'constructor', { isHuman: true }))],
    alignment,
    margin: 0.25,
    threshold: 0.125,
    decidedAt: timeOf(4),
  });
});

it('D-42: shows who overrode, without a margin, and the threshold that stood against it', async () => {
  const proposal = proposalOf('a', 'constructor');
  const [decision] = await decided(
    {},
    created(),
    here(submitted('a', 'constructor')),
    here(override([proposal])),
    here(executed({ isHuman: true })),
  );
  expect(decision).toEqual({
    ...executedHere,
    revision: 3,
    how: 'override',
    isHuman: true,
    specialistId: 'ann',
    proposals: [refOf(proposal)],
    alignment: noAlignment,
    margin: null,
    threshold: 0.4,
    decidedAt: timeOf(3),
  });
});

it("shows an operator's transition with the proposals that were open, and with what the state declares", async () => {
  const proposal = proposalOf('a', 'finish', { roundId: 'r7' });
  const odd = 'odd \ud800\0 name';
  const [decision] = await decided(
    {},
    created(),
    here({ type: 'ProposalSubmitted', data: proposal }),
    here(executed({ roundId: 'r7', fromState: odd, toState: odd, transitionName: odd })),
  );
  expect(decision).toEqual({
    ...executedHere,
    roundId: 'r7',
    fromState: odd,
    toState: odd,
    transitionName: odd,
    revision: 2,
    how: 'operator',
    isHuman: false,
    proposals: [refOf(proposal)],
    margin: null,
    threshold: 0.2,
    decidedAt: timeOf(2),
  });
});

it('keeps the proposals of rounds apart, even when sessions name them alike', async () => {
  const other = id('other');
  const decisions = await decided(
    {},
    created(),
    created('other'),
    here(submitted('a', 'approve')),
    inSession(other, submitted('b', 'approve', { proposalId: id('of the other') })),
    here(executed()),
    inSession(other, executed()),
  );
  expect(decisions.map(({ proposals }) => proposals.map(({ specialistId }) => specialistId))).toEqual([
    ['b'],
    ['a'],
  ]);
});

const everyFilter: readonly [DecisionFilter, readonly string[]][] = [
  [{}, ['r3', 'r2', 'r1']],
  [{ machineName: 'other' }, ['r3']],
  [{ sessionId }, ['r2', 'r1']],
  [{ how: 'override' }, ['r2']],
  [{ how: 'operator' }, ['r3', 'r1']],
  [{ from: timeOf(4) }, ['r3', 'r2']],
  [{ to: timeOf(4) }, ['r1']],
  [{ machineName: 'review', how: 'operator', to: timeOf(9) }, ['r1']],
];

const three = [
  created(),
  created('other', 'other'),
  here(executed()),
  here(override([], { roundId: 'r2' })),
  here(executed({ roundId: 'r2', isHuman: true })),
  inSession(id('other'), executed({ roundId: 'r3' })),
];

it.each(everyFilter)('lists the decisions that fit %j, newest first', async (filter, expected) => {
  const decisions = await decided(filter, ...three);
  expect(decisions.map(({ roundId }) => roundId)).toEqual(expected);
});

it('continues after a cursor', async () => {
  const { db } = await parts.project(three, [sessionsModel]);
  const first = await listDecisions(db, {}, { limit: 2 });
  const cursor = ('items' in first && first.nextCursor) || '';
  expect(await listDecisions(db, {}, { cursor })).toMatchObject({ items: [{ roundId: 'r1' }] });
});
