import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { jsonText } from './json.js';
import { firstDifference } from './json-difference.js';

function at(value: unknown, pointer: string): unknown {
  const names = pointer.split('/').slice(1);
  return names.reduce<unknown>((holder, token) => {
    const name = token.replaceAll('~1', '/').replaceAll('~0', '~');
    const members = holder as Record<string, unknown>;
    return Object.hasOwn(members, name) ? members[name] : undefined;
  }, value);
}

describe('firstDifference of any two JSON values', () => {
  it('is there exactly when their texts differ', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (a, b) => {
        expect(firstDifference(a, b) === undefined).toBe(jsonText(a) === jsonText(b));
        expect(firstDifference(a, JSON.parse(jsonText(a)))).toBeUndefined();
      }),
    );
  });

  it('names a place where both sides are as it says, and differ', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (a, b) => {
        const found = firstDifference(a, b);
        if (!found) return;
        expect(at(a, found.pointer)).toEqual(found.recorded);
        expect(at(b, found.pointer)).toEqual(found.replayed);
      }),
    );
  });
});
