import { describe, expect, it } from '@jest/globals';
import { areAllInvalid, isTripped } from './collapse.rules.js';

const compared = (score: number, comparisons = 3) => ({ score, comparisons });

describe('isTripped', () => {
  it('D-44: is due once no enabled specialist has 0.8, and one was compared with people', () => {
    expect(isTripped([compared(0.79)])).toBe(true);
    expect(isTripped([compared(0.1), compared(0, 0)])).toBe(true);
  });

  it('D-44: is not so while a champion is left', () => {
    expect(isTripped([compared(0.1), compared(0.8)])).toBe(false);
  });

  it('is not due before the first comparison, nor when no specialist is left', () => {
    expect(isTripped([compared(0, 0), compared(0, 0)])).toBe(false);
    expect(isTripped([])).toBe(false);
  });
});

it('X-D11: proposers are all invalid once each of them answered with what is not a proposal', () => {
  expect(areAllInvalid({ invalid: ['a', 'b'] }, ['a', 'b'])).toBe(true);
  expect(areAllInvalid({ invalid: ['a'] }, ['a', 'b'])).toBe(false);
  expect(areAllInvalid({ invalid: [] }, [])).toBe(false);
});
