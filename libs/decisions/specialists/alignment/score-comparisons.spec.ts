import { describe, expect, it } from '@jest/globals';
import { addComparison, NO_COMPARISONS } from './alignment-tally.js';
import { scoreComparisons } from './score-comparisons.js';
import { scoringRules } from './scoring-rules.js';

const matches = (count: number) => Array.from({ length: count }, () => true);

describe('scoreComparisons', () => {
  it('D-34: scores nothing compared as 0', () => {
    expect(scoreComparisons({ name: 'wilson' }, [])).toBe(0);
    expect(scoreComparisons({ name: 'ratio', halfLife: 3 }, [])).toBe(0);
  });

  it('counts all comparisons the same without a half-life', () => {
    expect(scoreComparisons({ name: 'ratio' }, [true, false, true])).toBeCloseTo(2 / 3, 15);
    expect(scoreComparisons({ name: 'wilson' }, [true, false, true])).toBeCloseTo(0.207655, 5);
  });

  it('halves what an old comparison weighs after a half-life of later ones', () => {
    // Weights from old to new: 1/4, 1/2, 1.
    expect(scoreComparisons({ name: 'ratio', halfLife: 1 }, [true, false, false])).toBeCloseTo(
      0.25 / 1.75,
      15,
    );
    // Two comparisons later the first one weighs a half.
    const [first, , last] = [0.5, Math.SQRT1_2, 1];
    expect(scoreComparisons({ name: 'ratio', halfLife: 2 }, [true, false, true])).toBeCloseTo(
      (first + last) / (first + Math.SQRT1_2 + last),
      15,
    );
  });

  it('forgives an old mistake, and forgets an old merit, when it decays', () => {
    const rule = { name: 'wilson', halfLife: 10 } as const;
    const mended = [false, ...matches(9)];
    const spoiled = [...matches(9), false];
    expect(scoreComparisons(rule, mended)).toBeGreaterThan(scoreComparisons(rule, spoiled));
    expect(scoreComparisons({ name: 'wilson' }, mended)).toBe(scoreComparisons({ name: 'wilson' }, spoiled));
  });

  it('lets wilson reach 0.8 from a half-life of 11 on', () => {
    expect(scoreComparisons({ name: 'wilson', halfLife: 10 }, matches(1000))).toBeLessThan(0.8);
    expect(scoreComparisons({ name: 'wilson', halfLife: 11 }, matches(1000))).toBeGreaterThanOrEqual(0.8);
  });

  it('gives what running sums give that were kept comparison by comparison', () => {
    const kept = [true, false, true, true].reduce(
      (tally, one) => addComparison(tally, one, 4),
      NO_COMPARISONS,
    );
    expect(scoreComparisons({ name: 'wilson', halfLife: 4 }, [true, false, true, true])).toBe(
      scoringRules.wilson.score(kept),
    );
  });
});

describe('scoringRules', () => {
  it('are these, in these versions: what they give is recorded', () => {
    const versions = Object.entries(scoringRules).map(([name, { version }]) => [name, version]);
    expect(versions).toEqual([
      ['wilson', 1],
      ['ratio', 1],
    ]);
  });
});
