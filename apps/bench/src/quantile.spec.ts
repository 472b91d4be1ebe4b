import { describe, expect, it } from '@jest/globals';
import { quantile } from './quantile.js';

describe('quantile', () => {
  it.each([
    [[3, 1, 20], 0.99, 20],
    [[4, 1, 2, 30], 0.5, 2],
    [Array.from({ length: 200 }, (_, index) => index + 1), 0.99, 198],
    [[7], 0, 7],
    [[], 0.99, NaN],
  ])('of %j for the part %p is %p', (numbers, part, expected) => {
    expect(quantile(numbers, part)).toBe(expected);
  });
});
