import { afterEach, beforeEach, expect, it } from '@jest/globals';
import type { HumanOverrideAccepted } from '#lib/decisions/session';
import { scoreComparisons, scoringRules, specialistStreamId } from '#lib/decisions/specialists';
import { id, type PlacedEvent } from '../testing/sample-log.js';
import { inSession, override, proposalOf } from '../testing/session-events.js';
import { TestParts } from '../testing/test-parts.js';
import { alignmentTallies, alignmentUnder } from './alignment.queries.js';
import { alignmentModel } from './alignment.read-model.js';

const sessionId = id('session');

/** The n-th round: a person approves, and the others made these proposals. */
function decided(n: number, choices: { readonly [who: string]: string }, state?: string): PlacedEvent {
  const roundId = `r${n}`;
  const proposals = Object.entries(choices).map(([who, choice]) =>
    proposalOf(who, choice, { roundId, isHuman: who === 'ann' }),
  );
  const scope = { machineName: 'review', ...(state !== undefined && { state }) };
  return inSession(sessionId, override(proposals, { roundId, scope }));
}

let parts: TestParts;
beforeEach(() => {
  parts = new TestParts();
});
afterEach(() => parts.close());

async function projected(...events: PlacedEvent[]) {
  const { db } = await parts.project(events, [alignmentModel]);
  const recorded = await parts.log.readStream(parts.log.streams.of('session', sessionId));
  return { db, positions: recorded.map(({ position }) => position) };
}

it('compares every proposal of a round that a person decided, and no proposal of a person', async () => {
  const { db, positions } = await projected(
    decided(1, { a: 'approve', b: 'constructor', ann: 'approve' }),
    decided(2, { a: 'constructor', ann: 'constructor' }),
  );
  const review = { machineName: 'review' };
  expect(await alignmentTallies(db, review)).toEqual([
    {
      specialistId: 'a',
      specialistVersion: 1,
      ...review,
      matchingChoices: 1,
      totalComparisons: 2,
      position: positions[1],
    },
    {
      specialistId: 'b',
      specialistVersion: 1,
      ...review,
      matchingChoices: 0,
      totalComparisons: 1,
      position: positions[0],
    },
  ]);
});

it('counts apart what the scope of a decision keeps apart', async () => {
  const odd = 'odd \ud800\0 name';
  const { db } = await projected(
    decided(1, { a: 'approve' }),
    decided(2, { a: 'constructor' }, odd),
    decided(3, { a: 'approve' }, 'constructor'),
  );
  expect(await alignmentTallies(db, { machineName: 'review' })).toMatchObject([{ matchingChoices: 1 }]);
  expect(await alignmentTallies(db, { machineName: 'review', state: odd })).toMatchObject([
    { state: odd, matchingChoices: 0, totalComparisons: 1 },
  ]);
  expect(await alignmentTallies(db, { machineName: 'other' })).toEqual([]);
  const { items } = await alignmentUnder(db, { machineName: 'review', rule: { name: 'ratio' } });
  expect(items.map(({ state, alignmentScore }) => [state, alignmentScore])).toEqual([
    [undefined, 1],
    ['constructor', 1],
    [odd, 0],
  ]);
});

it('scores the same comparisons under any rule', async () => {
  const choices = ['approve', 'constructor', 'approve', 'approve'];
  const { db, positions } = await projected(...choices.map((choice, n) => decided(n, { a: choice })));
  const tally = { matchingChoices: 3, totalComparisons: 4 };
  const matches = [true, false, true, true];
  for (const rule of [
    { name: 'wilson' },
    { name: 'ratio' },
    { name: 'wilson', halfLife: 2 },
    { name: 'ratio', halfLife: 1 },
  ] as const) {
    expect(await alignmentUnder(db, { machineName: 'review', rule })).toEqual({
      items: [
        {
          specialistId: 'a',
          specialistVersion: 1,
          ...tally,
          alignmentScore: scoreComparisons(rule, matches),
        },
      ],
      rule: 'halfLife' in rule ? `${rule.name};halfLife=${rule.halfLife}` : rule.name,
      ruleVersion: scoringRules[rule.name].version,
      position: positions[3],
    });
  }
});

it('is empty for a machine without a decision of a person', async () => {
  const { db } = await projected(decided(1, { ann: 'approve' }));
  const nothing = { items: [], rule: 'wilson', ruleVersion: scoringRules.wilson.version };
  expect(await alignmentUnder(db, { machineName: 'review', rule: { name: 'wilson' } })).toEqual(nothing);
});

/** Registers a version of `a` with the alignment of another version. */
function registered(version: number, alignmentOf?: number): PlacedEvent {
  const name = { machineName: 'review', specialistId: 'a' };
  const kept = alignmentOf !== undefined && { alignmentOf };
  const data = { ...name, version, isHuman: false, ...kept };
  return {
    category: 'specialist',
    id: specialistStreamId(name),
    event: { type: 'ProposerRegistered', data },
  };
}

function decidedOn(n: number, specialistVersion: number, choice: string): PlacedEvent {
  const { event, ...place } = decided(n, { a: choice });
  const { data } = event as HumanOverrideAccepted;
  const proposals = data.proposals.map((proposal) => ({ ...proposal, specialistVersion }));
  return { ...place, event: { type: event.type, data: { ...data, proposals } } };
}

it.each<[string, number | undefined, number, number]>([
  ['alignment of its own', undefined, 0, 1],
  ['a copy of the alignment that it keeps', 1, 2, 3],
])(
  'X-T3: a version has %s, and what either version learns later is its own',
  async (_, kept, matching, total) => {
    const { db } = await projected(
      registered(1),
      decidedOn(1, 1, 'approve'),
      decidedOn(2, 1, 'approve'),
      registered(2, kept),
      decidedOn(3, 2, 'constructor'),
      decidedOn(4, 1, 'approve'),
    );
    const rule = { name: 'ratio', halfLife: 100 } as const;
    const { items } = await alignmentUnder(db, { machineName: 'review', rule });
    expect(items).toMatchObject([
      { specialistVersion: 1, matchingChoices: 3, totalComparisons: 3, alignmentScore: 1 },
      { specialistVersion: 2, matchingChoices: matching, totalComparisons: total },
    ]);
    const matches = [...Array.from({ length: matching }, () => true), false];
    expect(items[1]?.alignmentScore).toBe(scoreComparisons(rule, matches));
  },
);
