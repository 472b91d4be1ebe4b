import { describe, expect, it } from '@jest/globals';
import { unstorableValue } from './unstorable-value.js';

describe('X-T10: a value that no event can hold', () => {
  it.each<[unknown, string]>([
    [Number.POSITIVE_INFINITY, ''],
    [{ a: [1, { 'b/c': Number.NaN }] }, '/a/1/b~1c'],
    [[[], ['x', undefined]], '/1/1'],
    [{ deep: { f: () => 1 } }, '/deep/f'],
    [{ big: 1n }, '/big'],
  ])('%p is found at %j', (value, pointer) => {
    expect(unstorableValue(value)).toBe(pointer);
  });

  it.each([undefined, null, 'x', 0, { a: undefined, b: [null, { c: [] }] }])('%p has none', (value) => {
    expect(unstorableValue(value)).toBeUndefined();
  });

  it('is found at any depth', () => {
    const deep = Array.from({ length: 100_000 }).reduce<unknown>((inner) => [inner], Number.NaN);
    expect(unstorableValue(deep)).toBe('/0'.repeat(100_000));
  });
});
