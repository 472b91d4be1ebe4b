import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { jsonText } from './json.js';
import { firstDifference, sameJson } from './json-difference.js';

function at(value: unknown, pointer: string): unknown {
  const names = pointer.split('/').slice(1);
  return names.reduce<unknown>((holder, token) => {
    const name = token.replaceAll('~1', '/').replaceAll('~0', '~');
    const members = holder as Record<string, unknown>;
    return Object.hasOwn(members, name) ? members[name] : undefined;
  }, value);
}

/** Also nearly equal values, and values that JSON text leaves out, replaces or asks for. */
const almostJson = fc.oneof(
  fc.object({
    key: fc.constantFrom('a', 'b', '1', '__proto__'),
    maxDepth: 2,
    maxKeys: 3,
    values: [
      fc.constantFrom(
        undefined,
        null,
        0,
        -0,
        NaN,
        1,
        '',
        '1',
        new Date(0),
        '1970-01-01T00:00:00.000Z',
        isNaN,
        {},
        [],
      ),
    ],
  }),
  fc.array(fc.constantFrom(undefined, null, NaN, 0, isNaN, [], {}, [null]), { maxLength: 2 }),
);

describe('firstDifference of any two JSON values', () => {
  it('is none exactly when their texts are equal, made without these texts', () => {
    fc.assert(
      fc.property(almostJson, almostJson, (a, b) => {
        expect(sameJson(a, b)).toBe(jsonText(a) === jsonText(b));
        expect(sameJson(a, JSON.parse(jsonText(a)))).toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });

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
