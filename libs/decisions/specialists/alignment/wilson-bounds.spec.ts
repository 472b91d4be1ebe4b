import { describe, expect, it } from '@jest/globals';
import { comparisonsFor, wilsonLowerBound, wilsonUpperBound } from './scoring-rules.js';

const of = (matchingChoices: number, totalComparisons: number) =>
  wilsonLowerBound({ matchingChoices, totalComparisons });

describe('wilsonLowerBound', () => {
  it.each([
    [1, 1, 0.206543],
    [2, 3, 0.207655],
    [1, 2, 0.094529],
    [8, 10, 0.490158],
    [50, 100, 0.40383],
  ])('D-34: is the lower bound with z = 1.96: %d of %d', (matching, total, score) => {
    expect(of(matching, total)).toBeCloseTo(score, 5);
  });

  it.each([0, 1, 2, 17, 1e9, 0.25])('D-34: 0 of %d is exactly 0', (total) => {
    expect(of(0, total)).toBe(0);
  });

  it('D-34: n of n first reaches 0.8 with 16', () => {
    const counts = Array.from({ length: 30 }, (_, n) => n + 1);
    expect(counts.find((n) => of(n, n) >= 0.8)).toBe(16);
  });

  it('is what the usual formula gives, middle less spread', () => {
    const z = 1.96;
    for (const [m, n] of [[1, 7] as const, [5, 9] as const, [99, 100] as const]) {
      const p = m / n;
      const spread = z * Math.sqrt((p * (1 - p)) / n + z ** 2 / (4 * n ** 2));
      expect(of(m, n)).toBeCloseTo((p + z ** 2 / (2 * n) - spread) / (1 + z ** 2 / n), 12);
    }
  });

  it('stays within 0 and 1 for tallies that cannot be', () => {
    expect([of(5, 3), of(-1, 3), of(1, 0)]).toEqual([of(3, 3), 0, 0]);
  });
});

describe('wilsonUpperBound', () => {
  const upper = (matchingChoices: number, totalComparisons: number) =>
    wilsonUpperBound({ matchingChoices, totalComparisons });

  it.each([
    [0, 100, 0.037],
    [0, 200, 0.019],
    [0, 400, 0.01],
  ])('is what no match of %d leaves possible: %d of %d at most %d', (matching, total, most) => {
    expect(upper(matching, total)).toBeCloseTo(most, 3);
  });

  it.each([
    [1, 7],
    [5, 9],
    [99, 100],
  ])('is what the usual formula gives, middle and spread: %d of %d', (m, n) => {
    const z = 1.96;
    const p = m / n;
    const spread = z * Math.sqrt((p * (1 - p)) / n + z ** 2 / (4 * n ** 2));
    expect(upper(m, n)).toBeCloseTo((p + z ** 2 / (2 * n) + spread) / (1 + z ** 2 / n), 12);
  });

  it('is 1 for n of n, and for nothing compared', () => {
    expect([upper(3, 3), upper(0, 0)]).toEqual([1, 1]);
  });
});

describe('comparisonsFor', () => {
  it.each([
    [0.05, 73],
    [0.02, 189],
    [0.01, 381],
    [0.005, 765],
  ])('without a match, an upper bound of %d takes %d', (most, needed) => {
    expect(comparisonsFor(0, most)).toBe(needed);
  });

  it.each([
    [0, 0.05],
    [0.01, 0.05],
    [0.004, 0.005],
    [0.3, 0.5],
  ])('is the least number that brings the bound there: a share of %d to %d', (share, most) => {
    const bound = (totalComparisons: number) =>
      wilsonUpperBound({ matchingChoices: share * totalComparisons, totalComparisons });
    const needed = comparisonsFor(share, most) ?? 0;
    expect(bound(needed)).toBeLessThanOrEqual(most);
    expect(bound(needed - 1)).toBeGreaterThan(most);
  });

  it('is no number for a share that is not below', () => {
    expect([comparisonsFor(0.05, 0.05), comparisonsFor(1, 0.05)]).toEqual([undefined, undefined]);
  });
});
