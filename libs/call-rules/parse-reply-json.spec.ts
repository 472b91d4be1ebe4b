import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { Allowance, AllowanceExceeded, isDeeperThan, jsonText } from '#lib/kernel';
import { parseReplyJson } from './parse-reply-json.js';

function membersOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const members = Object.values(value);
  return members.reduce<number>((sum, one) => sum + membersOf(one), 1 + Math.max(0, members.length - 1));
}

function taken(parse: () => unknown): string {
  try {
    return jsonText(parse());
  } catch (error) {
    if (!(error instanceof AllowanceExceeded)) throw error;
    return 'refused';
  }
}

describe('0.2-S5 JSON in a reply', () => {
  it('takes what its values have from the allowance of the reply, and gives them', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 6 }), fc.nat(40), (text, members) => {
        const unit = new Allowance({ members });
        const value: unknown = JSON.parse(text);
        const found = taken(() => parseReplyJson(text, unit));
        expect(found).toBe(membersOf(value) > members ? 'refused' : jsonText(value));
        expect(unit.left.members).toBe(members - membersOf(value));
      }),
    );
  });

  it('is nothing if it is deeper than 100 levels, whether it is long or short', () => {
    for (const levels of [99, 100, 101, 200, 20_000]) {
      const text = '['.repeat(levels) + ']'.repeat(levels);
      const isTaken = levels <= 100;
      expect(parseReplyJson(text) !== undefined).toBe(isTaken);
      expect(parseReplyJson(`${' '.repeat(20_000)}${text}`) !== undefined).toBe(isTaken);
      expect(!isDeeperThan(levels > 1_000 ? [] : JSON.parse(text), 100)).toBe(isTaken || levels > 1_000);
    }
  });

  it('does not count what stands in strings', () => {
    const text = jsonText({ a: '[{,"\\', b: '\\"[[[' });
    const unit = new Allowance({ members: 2 });
    expect(parseReplyJson(text, unit)).toEqual(JSON.parse(text));
  });

  it('is nothing if it is not JSON', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        let parsed: unknown;
        try {
          parsed = JSON.parse(text);
        } catch {
          parsed = undefined;
        }
        expect(parseReplyJson(text, new Allowance())).toEqual(parsed);
      }),
    );
  });
});
