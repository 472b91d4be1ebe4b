import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { wilsonLowerBound } from '#lib/decisions/specialists';
import { id, type PlacedEvent, sessionCreated } from '../testing/sample-log.js';
import { consensus, executed, inSession, override, proposalOf } from '../testing/session-events.js';
import { TestParts } from '../testing/test-parts.js';
import { collapseMetrics } from './collapse-metrics.js';

const sessionId = id('session');
const here = (event: Parameters<typeof inSession>[1]) => inSession(sessionId, event);
const registered = (specialistId: string, isHuman = false): PlacedEvent => ({
  category: 'specialist',
  id: specialistId,
  event: { type: 'ProposerRegistered', data: { specialistId, machineName: 'review', version: 1, isHuman } },
});

function round(
  n: number,
  decide: (roundId: string, proposals: ReturnType<typeof proposalOf>[]) => PlacedEvent[],
) {
  const roundId = `r${n}`;
  const proposals = [
    proposalOf('a', 'approve', { roundId }),
    proposalOf('b', n % 2 ? 'approve' : 'constructor', { roundId }),
    proposalOf('ann', 'constructor', { roundId, isHuman: true }),
  ];
  const submitted = proposals.map((data) => here({ type: 'ProposalSubmitted', data }));
  return [...submitted, ...decide(roundId, proposals)];
}

const byArbiter = (margin?: number) => (roundId: string) => [
  here(consensus({ roundId, threshold: 0.4, ...(margin !== undefined && { margin }) })),
  here(executed({ roundId })),
];
const byPerson = (roundId: string, proposals: ReturnType<typeof proposalOf>[]) => [
  here(override(proposals, { roundId })),
  here(executed({ roundId, isHuman: true })),
];
const byTimer = (roundId: string) => [here(executed({ roundId, timedBy: id('clock') }))];
const byOperator = (roundId: string) => [here(executed({ roundId }))];

let parts: TestParts;
beforeEach(() => {
  parts = new TestParts();
});
afterEach(() => parts.close());

it('D-46: counts deciders, margins, and the specialists whose proposals won', async () => {
  const { db } = await parts.project([
    registered('a'),
    registered('ann', true),
    here(sessionCreated(sessionId)),
    ...round(1, byPerson),
    ...round(2, byPerson),
    ...round(3, byArbiter(0.4)),
    ...round(4, byArbiter(0.5)),
    ...round(5, byArbiter()),
    ...round(6, byOperator),
    ...round(7, byTimer),
  ]);
  const alignmentOf = (matchingChoices: number) => ({
    matchingChoices,
    totalComparisons: 2,
    alignmentScore: wilsonLowerBound({ matchingChoices, totalComparisons: 2 }),
  });
  const wins = { isHuman: false, totalProposals: 7 };
  expect(await collapseMetrics(db, 'review')).toEqual({
    machineName: 'review',
    totalDecisions: 5,
    humanDecisions: 2,
    agreedDecisions: 0,
    aiDecisions: 3,
    operatorDecisions: 1,
    timerDecisions: 1,
    collapseRatio: 3 / 5,
    recentCollapseRatio: 3 / 5,
    meanMargin: 0.45,
    states: [
      {
        state: 'draft',
        totalDecisions: 5,
        humanDecisions: 2,
        agreedDecisions: 0,
        aiDecisions: 3,
        operatorDecisions: 1,
        timerDecisions: 1,
        collapseRatio: 3 / 5,
        meanMargin: 0.45,
      },
    ],
    alignment: [
      { specialistId: 'a', specialistVersion: 1, ...alignmentOf(2) },
      { specialistId: 'b', specialistVersion: 1, ...alignmentOf(1) },
    ],
    specialists: [
      { specialistId: 'a', ...wins, winningProposals: 7, winRate: 1 },
      { specialistId: 'ann', ...wins, isHuman: true, winningProposals: 0, winRate: 0 },
      { specialistId: 'b', ...wins, winningProposals: 4, winRate: 4 / 7 },
    ],
    signals: [
      expect.objectContaining({ code: 'SINGLE_SPECIALIST' }),
      expect.objectContaining({ code: 'LOW_ALIGNMENT' }),
      expect.objectContaining({ code: 'THIN_MARGIN' }),
    ],
  });
});

it('D-46: looks at the last ten decisions for what is recent', async () => {
  const rounds = [
    ...round(0, byPerson),
    ...Array.from({ length: 10 }, (_, n) => round(n + 1, byArbiter(1))).flat(),
    ...round(11, byOperator),
    ...round(12, byTimer),
  ];
  const { db } = await parts.project([here(sessionCreated(sessionId)), ...rounds]);
  const metrics = await collapseMetrics(db, 'review');
  expect(metrics).toMatchObject({ collapseRatio: 10 / 11, recentCollapseRatio: 1 });
  expect(metrics.signals).toContainEqual(expect.objectContaining({ code: 'FULL_COLLAPSE' }));
});

it('signals a cold start for a machine without sessions', async () => {
  const { db } = await parts.project([]);
  expect(await collapseMetrics(db, 'constructor')).toEqual({
    machineName: 'constructor',
    totalDecisions: 0,
    humanDecisions: 0,
    agreedDecisions: 0,
    aiDecisions: 0,
    operatorDecisions: 0,
    collapseRatio: 0,
    recentCollapseRatio: 0,
    meanMargin: null,
    states: [],
    alignment: [],
    specialists: [],
    signals: [expect.objectContaining({ code: 'COLD_START', level: 'action' })],
  });
});

it('sums margins of any size up to a number: an arbiter of the application may say what it likes', async () => {
  const rounds = [1e308, 1e308, -1e308, 0].flatMap((margin, n) => round(n, byArbiter(margin)));
  const { db } = await parts.project([here(sessionCreated(sessionId)), ...rounds]);
  expect(await collapseMetrics(db, 'review')).toMatchObject({
    totalDecisions: 4,
    meanMargin: 250_000_000,
  });
});

it('X-D9, X-D10: tells decisions by agreement with a person from decisions by models alone, also for each state', async () => {
  const asAnn = (roundId: string) => [
    here(consensus({ roundId, margin: 1 })),
    here(executed({ roundId, transitionName: 'constructor' })),
  ];
  const elsewhere = (roundId: string) => [
    here(consensus({ roundId })),
    here(executed({ roundId, fromState: 'constructor' })),
  ];
  const rounds = [
    ...round(1, byPerson),
    ...round(2, asAnn),
    ...round(3, byArbiter(0.5)),
    ...round(4, elsewhere),
  ];
  const { db } = await parts.project([here(sessionCreated(sessionId)), ...rounds]);
  const metrics = await collapseMetrics(db, 'review');
  expect(metrics).toMatchObject({
    totalDecisions: 4,
    humanDecisions: 1,
    agreedDecisions: 1,
    aiDecisions: 2,
    collapseRatio: 0.5,
    recentCollapseRatio: 0.5,
    meanMargin: 0.75,
  });
  expect(metrics.states).toMatchObject([
    { state: 'constructor', totalDecisions: 1, aiDecisions: 1, collapseRatio: 1, meanMargin: null },
    { state: 'draft', totalDecisions: 3, agreedDecisions: 1, collapseRatio: 1 / 3 },
  ]);
});
