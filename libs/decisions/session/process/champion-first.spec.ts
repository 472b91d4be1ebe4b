import { describe, expect, it } from '@jest/globals';
import { CHAMPION_SCORE, championFirst, championOf } from './collapse.rules.js';

const scores = (of: { readonly [specialistId: string]: number }) =>
  Object.entries(of).map(([specialistId, score]) => ({ specialistId, specialistVersion: 1, score }));
const all = ['a', 'b', 'c'];

describe('championOf', () => {
  it('D-44: is the proposer with the highest alignment, from 0.8 on', () => {
    expect(CHAMPION_SCORE).toBe(0.8);
    expect(championOf(all, scores({ a: 0.8, b: 0.9, c: 0.85 }))).toBe('b');
    expect(championOf(all, scores({ b: 0.8 }))).toBe('b');
  });

  it('D-44: there is no champion when no specialist has 0.8', () => {
    expect(championOf(all, scores({ a: 0.799999, b: 0.5 }))).toBeUndefined();
    expect(championOf(all, [])).toBeUndefined();
    expect(championOf([], scores({ a: 1 }))).toBeUndefined();
  });

  it('D-44: is a proposer that can be asked, even if another is trusted more', () => {
    expect(championOf(['a', 'b'], scores({ a: 0.8, disabled: 0.99 }))).toBe('a');
  });

  it('is the first of equals', () => {
    expect(championOf(['c', 'a'], scores({ a: 0.9, c: 0.9 }))).toBe('c');
  });
});

describe('championFirst', () => {
  it('D-43: puts the champion first, and leaves the others in their order', () => {
    expect(championFirst(all, scores({ c: 0.9, b: 0.85 }))).toEqual(['c', 'a', 'b']);
    expect(championFirst(all, scores({ a: 0.9 }))).toEqual(all);
  });

  it('D-43: keeps the order without a champion', () => {
    expect(championFirst(all, scores({ c: 0.79 }))).toEqual(all);
    expect(championFirst([], [])).toEqual([]);
  });
});
