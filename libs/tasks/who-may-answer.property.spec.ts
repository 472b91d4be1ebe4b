import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { excludedPeople, type PeoplePolicy, whyNotAnswering } from '#lib/candidates';
import { whyNotAnsweringWait } from '#lib/workflow';
import { audienceId, audienceWords, EVERYBODY, groupWord, machineWord, personWord } from './audience.js';

const GROUPS: { readonly [person: string]: readonly string[] } = {
  ann: ['buyers'],
  bob: ['buyers', 'heads'],
  cy: [],
  eve: ['heads'],
};
const person = fc.constantFrom(...Object.keys(GROUPS));
const some = (...all: string[]) => fc.option(fc.subarray(all), { nil: undefined });
const policies = fc
  .record({
    groups: some('buyers', 'heads'),
    people: some('ann', 'eve'),
    exclude: some('creator', 'proposers', 'bob'),
  })
  .map((policy) => Object.fromEntries(Object.entries(policy).filter(([, value]) => value)) as PeoplePolicy);
const waits = fc.record({
  policy: fc.option(policies, { nil: undefined }),
  by: person,
  creators: fc.subarray(['ann', 'eve', 'bob']),
  proposers: fc.subarray(['ann', 'eve']),
  isHuman: fc.boolean(),
});

/** Whether rows find a person among those who may answer. */
function isFound(by: string, words: readonly string[], mine: readonly string[], excluded: readonly string[]) {
  return words.some((word) => mine.includes(word)) && !excluded.includes(by);
}

describe('the rows of tasks and the rules of their owners', () => {
  it('say the same about who may decide a round', () => {
    fc.assert(
      fc.property(waits, ({ policy, by, creators, proposers, isHuman }) => {
        const groups = GROUPS[by] ?? [];
        const refused = whyNotAnswering(
          { by, groups },
          { policy, creators, proposers, isCandidate: isHuman },
        );
        const words = audienceWords(policy, [machineWord('machine')]);
        const mine = [personWord(by), ...groups.map(groupWord), ...(isHuman ? [machineWord('machine')] : [])];
        const excluded = excludedPeople(policy, { creators, proposers });
        expect(isFound(by, words, mine, excluded)).toBe(refused === undefined);
      }),
      { numRuns: 2_000 },
    );
  });

  it('say the same about who may answer a wait of a run', () => {
    fc.assert(
      fc.property(waits, ({ policy, by, creators }) => {
        const groups = GROUPS[by] ?? [];
        const refused = whyNotAnsweringWait({ ...(policy && { policy }) }, { by, groups }, { creators });
        const words = audienceWords(policy, [EVERYBODY]);
        const mine = [personWord(by), ...groups.map(groupWord), EVERYBODY];
        expect(isFound(by, words, mine, excludedPeople(policy, { creators }))).toBe(refused === undefined);
      }),
      { numRuns: 2_000 },
    );
  });

  it('have one audience for the same people, in whatever order and however often a policy names them', () => {
    fc.assert(
      fc.property(policies, fc.constantFrom(1, 2), (policy, times) => {
        const { groups, people } = policy;
        const again = (all: readonly string[]) =>
          Array.from({ length: times }, () => all)
            .flat()
            .toReversed();
        const other = {
          ...policy,
          ...(groups && { groups: again(groups) }),
          ...(people && { people: again(people) }),
        };
        expect(audienceId(audienceWords(other, []))).toBe(audienceId(audienceWords(policy, [])));
      }),
    );
  });
});
