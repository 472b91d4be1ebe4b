import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { flipOf, majority, mcnemar, pairVerdict, selfAgreement, shareOf } from './statistics.js';

describe('mcnemar', () => {
  it.each([
    [5, 0, 0.0625],
    [6, 0, 0.03125],
    [9, 1, 0.0215],
    [10, 2, 0.0386],
    [12, 4, 0.0768],
    [50, 50, 1],
    [0, 0, 1],
  ])('is the exact two-sided test: %d against %d gives %d', (a, b, p) => {
    expect(mcnemar(a, b)).toBeCloseTo(p, 4);
    expect(mcnemar(b, a)).toBe(mcnemar(a, b));
  });

  it('is the sum of binomial coefficients, whole numbers', () => {
    fc.assert(
      fc.property(fc.nat(200), fc.nat(200), (a, b) => {
        const n = BigInt(a + b);
        let coefficient = 1n;
        let sum = 0n;
        for (let i = 0n; i <= BigInt(Math.min(a, b)); i += 1n) {
          sum += coefficient;
          coefficient = (coefficient * (n - i)) / (i + 1n);
        }
        const exact = Number((2n * sum * 10n ** 15n) / 2n ** n) / 1e15;
        expect(mcnemar(a, b)).toBeCloseTo(Math.min(1, exact), 10);
      }),
    );
  });

  it('neither underflows nor overflows at the most points that an experiment has', () => {
    expect(mcnemar(50_000, 50_000)).toBe(1);
    expect(mcnemar(49_500, 50_500)).toBeCloseTo(0.0016, 3);
    expect(mcnemar(0, 100_000)).toBe(0);
  });
});

describe('shareOf', () => {
  it('has an interval around it, also at its ends', () => {
    expect(shareOf(0, 100)).toEqual({ share: 0, low: 0, high: expect.closeTo(0.037, 4) });
    expect(shareOf(100, 100)).toEqual({ share: 1, low: expect.closeTo(0.963, 4), high: 1 });
    expect(shareOf(0, 0)).toEqual({ share: 0, low: 0, high: 1 });
  });
});

describe('majority', () => {
  it('is the answer that most samples give, and the first of equals', () => {
    expect(majority(['b', 'a', 'a'])).toBe('a');
    expect(majority(['b', 'a', 'a', 'b', 'c'])).toBe('b');
    expect(majority(['constructor'])).toBe('constructor');
    expect(majority([])).toBeUndefined();
  });
});

describe('selfAgreement', () => {
  it('is the share of pairs of samples of a point that agree', () => {
    expect(selfAgreement([['a', 'a', 'b']])).toBeCloseTo(1 / 3);
    expect(selfAgreement([['a', 'a'], ['a', 'b'], ['a']])).toBe(1 / 2);
    expect(selfAgreement([['a'], []])).toBeUndefined();
  });

  it('is what comparing each pair gives', () => {
    const samples = fc.array(fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 8 }), { maxLength: 8 });
    fc.assert(
      fc.property(samples, (points) => {
        const all = points.flatMap((point) =>
          point.flatMap((one, index) => point.slice(index + 1).map((other) => one === other)),
        );
        const share = all.length === 0 ? undefined : all.filter((agrees) => agrees).length / all.length;
        expect(selfAgreement(points)).toBe(share);
      }),
    );
  });
});

describe('flipOf', () => {
  it.each([
    ['a', 'a', 'b', 'none'],
    ['a', 'b', 'a', 'negative'],
    ['a', 'b', 'b', 'positive'],
    ['a', 'b', 'c', 'neutral'],
    ['a', 'b', undefined, 'neutral'],
  ])('of %s to %s where a person decided %s is %s', (baseline, answer, person, flip) => {
    expect(flipOf(baseline, answer, person)).toBe(flip);
  });
});

describe('pairVerdict', () => {
  it('does not take flips of decisions of people for a difference: the decisions agree with themselves', () => {
    const counts = { n: 150, flips: 6, onlyA: 6, onlyB: 0 };
    expect(pairVerdict(counts, 0.05).verdict).toBe('different');
    expect(pairVerdict(counts, 0.05, true)).toMatchObject({ verdict: 'not-enough' });
  });

  it('is the same once the upper bound of flips is within the margin', () => {
    const counts = { flips: 0, onlyA: 0, onlyB: 0 };
    expect(pairVerdict({ n: 73, ...counts }, 0.05)).toEqual({ p: 1, verdict: 'same', needed: 73 });
    expect(pairVerdict({ n: 72, ...counts }, 0.05)).toEqual({ p: 1, verdict: 'not-enough', needed: 73 });
    expect(pairVerdict({ n: 0, ...counts }, 0.05).verdict).toBe('not-enough');
  });

  it('is different once the lower bound is above it, also with as many flips in each direction', () => {
    const verdict = pairVerdict({ n: 100, flips: 100, onlyA: 50, onlyB: 50 }, 0.05);
    expect(verdict).toEqual({ p: 1, verdict: 'different' });
  });

  it('is different where one of them is right significantly more often', () => {
    expect(pairVerdict({ n: 200, flips: 6, onlyA: 6, onlyB: 0 }, 0.05).verdict).toBe('different');
    expect(pairVerdict({ n: 200, flips: 5, onlyA: 5, onlyB: 0 }, 0.05).verdict).toBe('not-enough');
  });

  it('says how many points would be enough at the same share of flips', () => {
    const { needed = 0 } = pairVerdict({ n: 100, flips: 2, onlyA: 1, onlyB: 1 }, 0.05);
    const points = Math.ceil(needed / 50) * 50;
    expect(pairVerdict({ n: points, flips: points / 50, onlyA: 1, onlyB: 1 }, 0.05).verdict).toBe('same');
  });
});
