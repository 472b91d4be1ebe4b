import { expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { fold, ownMember } from '#lib/kernel';
import { sessionDecider, type SessionEvent } from '#lib/decisions/session';
import { type ProposerRegistered, scoreComparisons, type ScoringRule } from '#lib/decisions/specialists';
import { histories } from '../testing/random-history.js';
import { type PlacedEvent, sampleMachine } from '../testing/sample-log.js';
import { TestParts } from '../testing/test-parts.js';
import { alignmentTallies, alignmentUnder } from './alignment.queries.js';
import { alignmentModel } from './alignment.read-model.js';

/** By state ("": the machine), specialist and version: whether each proposal equals the person's decision. Computed from the events of sessions. */
function recompute(history: readonly PlacedEvent[]): Map<string, boolean[]> {
  const comparisons = new Map<string, boolean[]>();
  const sessions = new Map<string, SessionEvent[]>();
  for (const { category, id, event } of history) {
    if (event.type === 'ProposerRegistered') keepAlignment(event as ProposerRegistered, comparisons);
    if (category !== 'session') continue;
    const before = sessions.get(id) ?? [];
    const session = fold(sessionDecider, before);
    sessions.set(id, [...before, event as SessionEvent]);
    // A person's decision is the only human transition. Sessions with an inline machine do not count.
    if (event.type !== 'TransitionExecuted' || session?.machineVersion === undefined) continue;
    const { isHuman, transitionName } = event.data as { isHuman: boolean; transitionName: string };
    if (!isHuman) continue;
    const own = ownMember(sampleMachine.states, session.currentState)?.specialists;
    for (const proposal of session.proposals.filter((one) => !one.isHuman)) {
      const { specialistId, specialistVersion } = proposal;
      const key = JSON.stringify([own ? session.currentState : '', specialistId, specialistVersion]);
      const matched = proposal.transitionName === transitionName;
      comparisons.set(key, [...(comparisons.get(key) ?? []), matched]);
    }
  }
  return comparisons;
}

function keepAlignment({ data }: ProposerRegistered, comparisons: Map<string, boolean[]>): void {
  for (const [key, matches] of new Map(comparisons)) {
    const [state, specialistId, version] = JSON.parse(key) as [string, string, number];
    if (specialistId !== data.specialistId || version !== data.alignmentOf) continue;
    const own = JSON.stringify([state, specialistId, data.version]);
    comparisons.set(own, [...matches, ...(comparisons.get(own) ?? [])]);
  }
}

const rules: readonly ScoringRule[] = [{ name: 'wilson' }, { name: 'ratio', halfLife: 2 }];

it('is what a recomputation from the log gives, under every rule', async () => {
  let compared = 0;
  const property = fc.asyncProperty(histories(120, 40), async (history) => {
    const parts = new TestParts();
    try {
      const { db } = await parts.project(history, [alignmentModel]);
      const expected = recompute(history);
      compared += expected.size;
      for (const rule of rules) {
        const { items } = await alignmentUnder(db, { machineName: 'review', rule });
        const scored = items.map(({ state = '', specialistId, specialistVersion, ...one }) => [
          JSON.stringify([state, specialistId, specialistVersion]),
          one,
        ]);
        const recomputed = [...expected].map(([key, matches]) => [
          key,
          {
            matchingChoices: matches.filter(Boolean).length,
            totalComparisons: matches.length,
            alignmentScore: scoreComparisons(rule, matches),
          },
        ]);
        expect(Object.fromEntries(scored)).toEqual(Object.fromEntries(recomputed));
      }
      for (const state of ['', 'constructor', 'odd \ud800\0 name']) {
        const scope = { machineName: 'review', ...(state !== '' && { state }) };
        const tallies = await alignmentTallies(db, scope);
        const there = [...expected.keys()].filter((key) => (JSON.parse(key) as string[])[0] === state);
        expect(tallies).toHaveLength(there.length);
      }
    } finally {
      await parts.close();
    }
  });
  await fc.assert(property, { numRuns: 50 });
  // Half of the histories have a comparison: all of them lack one less than once in 10^15 runs.
  expect(compared).toBeGreaterThan(0);
});
