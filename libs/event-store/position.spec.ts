import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { ForeignPosition, formatPosition, parsePosition, sequenceOf } from './position.js';

describe('a position', () => {
  it('names its log and a place of fixed width', () => {
    expect(formatPosition('log', 42)).toBe('log.00000000000000000042');
    expect(sequenceOf('log', formatPosition('log', 2n ** 64n - 1n))).toBe(2n ** 64n - 1n);
  });

  it('compares as text as its place does as a number', () => {
    const sequence = fc.bigInt(0n, 2n ** 64n - 1n);
    fc.assert(
      fc.property(sequence, sequence, (a, b) => {
        expect(formatPosition('log', a) < formatPosition('log', b)).toBe(a < b);
      }),
    );
  });

  it.each([
    '',
    'log',
    'log.1',
    'other.00000000000000000042',
    'log.0000000000000000004x',
    'log.000000000000000000420',
  ])('is refused when it is not one of this log: %j', (text) => {
    expect(() => parsePosition('log', text)).toThrow(ForeignPosition);
  });
});
