import { describe, expect, it } from '@jest/globals';
import { isJsonObject, jsonText, ownMember, parseJsonObject } from './json.js';

describe('jsonText', () => {
  it('keeps the order of members and adds no white space', () => {
    expect(jsonText({ b: 1, a: [1, 'x'] })).toBe('{"b":1,"a":[1,"x"]}');
  });

  it('is well-formed Unicode also for text that is not', () => {
    expect(jsonText('\ud800')).toBe(String.raw`"\ud800"`);
  });

  it('refuses what has no JSON text', () => {
    const cycle: Record<string, unknown> = {};
    cycle['self'] = cycle;
    for (const value of [undefined, () => 1, Symbol('s'), 1n, cycle]) {
      expect(() => jsonText(value)).toThrow(TypeError);
    }
  });
});

describe('parseJsonObject', () => {
  it('reads an object', () => {
    expect(parseJsonObject(' {"a": 1} ')).toEqual({ a: 1 });
  });

  it('gives nothing for what is not JSON, and for JSON that is not an object', () => {
    for (const text of ['', '{', 'null', '[]', '"x"', '1', '{} {}']) {
      expect(parseJsonObject(text)).toBeUndefined();
    }
  });
});

describe('isJsonObject', () => {
  it('takes objects only', () => {
    expect([{}, [], null, 'x', undefined].map(isJsonObject)).toEqual([true, false, false, false, false]);
  });
});

describe('ownMember', () => {
  it('finds what a record has itself, also under hostile names', () => {
    const record = JSON.parse('{"__proto__":1,"constructor":2}') as Record<string, number>;
    expect(ownMember(record, '__proto__')).toBe(1);
    expect(ownMember(record, 'constructor')).toBe(2);
  });

  it('does not find what every object inherits', () => {
    for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty']) {
      expect(ownMember<unknown>({}, name)).toBeUndefined();
    }
  });

  it('finds nothing in nothing', () => {
    expect(ownMember(undefined, 'a')).toBeUndefined();
  });
});
