import { present } from '#lib/kernel';
import * as fc from 'fast-check';
import type { AlignmentSnapshot } from '../consensus/alignment-snapshot.js';
import type { ArbiterRef, Verdict } from '../consensus/consensus-question.js';
import { optional } from './optional.js';

/** Built in, outside of the session, or with a difficult name. */
export const arbitraryArbiter: fc.Arbitrary<ArbiterRef> = fc
  .record({
    strategyFnName: fc.constantFrom(
      'firstProposal',
      'alignmentMargin',
      'aheadByK',
      'committee',
      'constructor',
    ),
    threshold: optional(fc.constantFrom(0, 0.3, 1)),
  })
  .map((data) => ({ specialistId: 'arbiter', specialistVersion: 1, ...present(data) }));

const score = fc.constantFrom(0, 0.1, 0.2, 0.3, 0.9);

export const arbitraryAlignment: fc.Arbitrary<AlignmentSnapshot> = fc
  .record({ s1: score, s2: score, position: optional(fc.constantFrom('log.1', 'log.2')) })
  .map(({ s1, s2, ...read }) => ({
    rule: 'wilson',
    ruleVersion: 1,
    ...present(read),
    scores: [
      { specialistId: 's1', specialistVersion: 1, score: s1 },
      { specialistId: 's2', specialistVersion: 1, score: s2 },
    ],
  }));

/** A verdict; a consensus has no winner yet. */
export const arbitraryVerdict: fc.Arbitrary<Verdict> = fc
  .record({
    consensusReached: fc.boolean(),
    reasoning: fc.string(),
    margin: optional(fc.constantFrom(0, 0.5)),
  })
  .map(present);
