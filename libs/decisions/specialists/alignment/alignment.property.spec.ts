import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { addComparison, type AlignmentTally, NO_COMPARISONS } from './alignment-tally.js';
import { scoreComparisons } from './score-comparisons.js';
import { parseScoringRule, scoringRuleText } from './scoring-rule-text.js';
import { type ScoringRule, scoringRules } from './scoring-rules.js';

const name = fc.constantFrom('wilson', 'ratio');
const halfLife = fc.option(fc.integer({ min: 1, max: 1000 }), { nil: undefined });
const rule: fc.Arbitrary<ScoringRule> = fc
  .record({ name, halfLife })
  .map(({ name, halfLife }) => ({ name, ...(halfLife !== undefined && { halfLife }) }));
const comparisons = fc.array(fc.boolean(), { maxLength: 60 });
const total = fc.integer({ min: 1, max: 1_000_000 });
const finite = fc.double({ noDefaultInfinity: true, noNaN: true });
/** The largest difference of two floating-point sums of the same numbers in another order. */
const NOISE = 1e-12;

describe('any scoring rule', () => {
  it('stays within 0 and 1', () => {
    fc.assert(
      fc.property(rule, comparisons, (rule, comparisons) => {
        const score = scoreComparisons(rule, comparisons);
        expect(score >= 0 && score <= 1).toBe(true);
      }),
    );
  });

  it('stays within 0 and 1 for any tally, also one that cannot be', () => {
    fc.assert(
      fc.property(name, finite, finite, (name, matchingChoices, totalComparisons) => {
        const score = scoringRules[name].score({ matchingChoices, totalComparisons });
        expect(score >= 0 && score <= 1).toBe(true);
      }),
    );
  });

  it('never falls with one match more of as many comparisons', () => {
    fc.assert(
      fc.property(name, total, fc.nat(), (name, totalComparisons, some) => {
        const matchingChoices = some % totalComparisons;
        const { score } = scoringRules[name];
        const more = { matchingChoices: matchingChoices + 1, totalComparisons };
        expect(score(more)).toBeGreaterThan(score({ matchingChoices, totalComparisons }));
      }),
    );
  });

  it('never falls when one of the comparisons turns into a match', () => {
    fc.assert(
      fc.property(rule, comparisons, fc.nat(), (rule, comparisons, at) => {
        const better = comparisons.map((isMatch, place) => isMatch || place === at % comparisons.length);
        const gained = scoreComparisons(rule, better) - scoreComparisons(rule, comparisons);
        expect(gained).toBeGreaterThanOrEqual(-NOISE);
      }),
    );
  });

  it('scores 0 of n as exactly 0 for every half-life', () => {
    fc.assert(
      fc.property(rule, fc.nat({ max: 200 }), (rule, count) => {
        expect(
          scoreComparisons(
            rule,
            Array.from({ length: count }, () => false),
          ),
        ).toBe(0);
      }),
    );
  });

  it('does not depend on the order of the comparisons when nothing decays', () => {
    fc.assert(
      fc.property(name, comparisons, (name, comparisons) => {
        expect(scoreComparisons({ name }, comparisons.toReversed())).toBe(
          scoreComparisons({ name }, comparisons),
        );
      }),
    );
  });

  it('is read back from its text', () => {
    fc.assert(
      fc.property(rule, (rule) => {
        expect(parseScoringRule(scoringRuleText(rule))).toStrictEqual(rule);
      }),
    );
  });
});

describe('a half-life', () => {
  it('that is infinite is none', () => {
    fc.assert(
      fc.property(name, comparisons, (name, comparisons) => {
        const endless = scoreComparisons({ name, halfLife: Infinity }, comparisons);
        expect(endless).toBe(scoreComparisons({ name }, comparisons));
      }),
    );
  });

  it('keeps the sums that weighing each comparison by its age gives', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 50 }), comparisons, (halfLife, comparisons) => {
        const kept = comparisons.reduce<AlignmentTally>(
          (tally, isMatch) => addComparison(tally, isMatch, halfLife),
          NO_COMPARISONS,
        );
        const weights = comparisons.map((_, place) => 2 ** ((place + 1 - comparisons.length) / halfLife));
        const sum = (of: readonly number[]) => of.reduce((total, weight) => total + weight, 0);
        expect(kept.totalComparisons).toBeCloseTo(sum(weights), 9);
        expect(kept.matchingChoices).toBeCloseTo(sum(weights.filter((_, place) => comparisons[place])), 9);
      }),
    );
  });

  it('never keeps more weight than no half-life does', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 50 }), comparisons, (halfLife, comparisons) => {
        const kept = comparisons.reduce((tally, one) => addComparison(tally, one, halfLife), NO_COMPARISONS);
        expect(kept.totalComparisons).toBeLessThanOrEqual(comparisons.length);
      }),
    );
  });
});
