import { expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { id, type PlacedEvent, sessionCreated } from '../testing/sample-log.js';
import { consensus, executed, inSession, override, proposalOf } from '../testing/session-events.js';
import { TestParts } from '../testing/test-parts.js';
import { collapseMetrics } from '../collapse/collapse-metrics.js';
import { decisionsByDay } from './decision-days.js';

const sessionId = id('session');

const KINDS = {
  humanDecisions: (roundId: string, ann: ReturnType<typeof proposalOf>) => [override([ann], { roundId })],
  agreedDecisions: (roundId: string) => [consensus({ roundId })],
  aiDecisions: (roundId: string) => [consensus({ roundId })],
  operatorDecisions: () => [],
  timerDecisions: () => [],
} as const;

type Kind = keyof typeof KINDS;

interface Decided {
  readonly kind: Kind;
  readonly state: 'draft' | 'constructor';
  /** ISO 8601. */
  readonly at: string;
}

/** A round from its proposal to its transition, all at one time. */
function round({ kind, state: fromState, at }: Decided, n: number): readonly PlacedEvent[] {
  const roundId = `r${n}`;
  const isHuman = kind !== 'aiDecisions';
  const proposal = proposalOf(isHuman ? 'ann' : 'a', 'approve', { roundId, isHuman });
  const timed = kind === 'timerDecisions' && { timedBy: id('clock') };
  return [
    { type: 'ProposalSubmitted' as const, data: proposal },
    ...KINDS[kind](roundId, proposal),
    executed({ roundId, fromState, transitionName: 'approve', ...timed }),
  ].map((event) => ({ ...inSession(sessionId, event), metadata: { occurredAt: at } }));
}

async function withRows(
  decided: readonly Decided[],
  check: (db: Awaited<ReturnType<TestParts['project']>>['db']) => Promise<void>,
): Promise<void> {
  const parts = new TestParts();
  try {
    const created = inSession(sessionId, sessionCreated(sessionId));
    await check((await parts.project([created, ...decided.flatMap(round)])).db);
  } finally {
    await parts.close();
  }
}

const NONE = {
  humanDecisions: 0,
  agreedDecisions: 0,
  aiDecisions: 0,
  operatorDecisions: 0,
  timerDecisions: 0,
};

it('counts the decisions of each UTC day by who made them, the newest day first, for each state or in all', async () => {
  const decided: readonly Decided[] = [
    { kind: 'humanDecisions', state: 'draft', at: '2026-01-30T00:00:00.000Z' },
    { kind: 'aiDecisions', state: 'constructor', at: '2026-01-30T23:59:59.999Z' },
    { kind: 'agreedDecisions', state: 'draft', at: '2026-01-31T00:00:00.000Z' },
    { kind: 'agreedDecisions', state: 'draft', at: '2026-01-31T12:00:00.000Z' },
    { kind: 'timerDecisions', state: 'draft', at: '2026-02-02T12:00:00.000Z' },
  ];
  await withRows(decided, async (db) => {
    const review = { ...NONE, machineName: 'review' };
    expect(await decisionsByDay(db, {})).toEqual([
      { ...review, day: '2026-02-02', state: 'draft', timerDecisions: 1 },
      { ...review, day: '2026-01-31', state: 'draft', agreedDecisions: 2 },
      { ...review, day: '2026-01-30', state: 'constructor', aiDecisions: 1 },
      { ...review, day: '2026-01-30', state: 'draft', humanDecisions: 1 },
    ]);
    const days = { from: '2026-01-30T12:00:00Z', to: '2026-01-31T00:00:00Z' };
    expect(await decisionsByDay(db, { by: 'day', machineName: 'review', ...days })).toEqual([
      { ...NONE, day: '2026-01-30', humanDecisions: 1, aiDecisions: 1 },
    ]);
    expect(await decisionsByDay(db, { machineName: 'toString' })).toEqual([]);
  });
});

it('has over all days the numbers that the metrics of the machine have', async () => {
  const one = fc.record({
    kind: fc.constantFrom(...(Object.keys(KINDS) as Kind[])),
    state: fc.constantFrom('draft' as const, 'constructor' as const),
    at: fc
      .integer({ min: Date.UTC(2026, 0, 1), max: Date.UTC(2026, 0, 9) })
      .map((ms) => new Date(ms).toISOString()),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(one, { maxLength: 12 }), (decided) =>
      withRows(decided, async (db) => {
        const [lines, days] = [await decisionsByDay(db, {}), await decisionsByDay(db, { by: 'day' })];
        const { states } = await collapseMetrics(db, 'review');
        const of = (state?: string) => lines.filter((line) => state === undefined || line.state === state);
        for (const kind of Object.keys(NONE) as Kind[]) {
          const sum = (all: readonly Readonly<Record<Kind, number>>[]) =>
            all.reduce((total, line) => total + line[kind], 0);
          expect([sum(lines), sum(days)]).toEqual(
            Array(2).fill(decided.filter((each) => each.kind === kind).length),
          );
          for (const counts of states) expect(sum(of(counts.state))).toBe(counts[kind] ?? 0);
        }
      }),
    ),
    { numRuns: 25 },
  );
});
