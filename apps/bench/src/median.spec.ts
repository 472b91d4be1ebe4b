import { describe, expect, it } from '@jest/globals';
import { median } from './median.js';

describe('median', () => {
  it.each([
    [[3, 1, 20], 3],
    [[4, 1, 2, 30], 3],
    [[7], 7],
    [[], NaN],
  ])('of %j is %p', (numbers, middle) => {
    expect(median(numbers)).toBe(middle);
  });
});
