import { describe, expect, it } from '@jest/globals';
import { plainJson } from './plain-json.js';

const loop: { self?: unknown } = {};
loop.self = [loop];
const nested = (levels: number): unknown => JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`);

describe('plainJson', () => {
  it('gives plain values back, without members that are undefined', () => {
    const value = { a: [1, 'x', null, true, { b: -0.5 }], c: undefined, d: Object.create(null) as object };
    expect(plainJson(value)).toEqual({ a: [1, 'x', null, true, { b: -0.5 }], d: {} });
    expect(Object.keys(plainJson(value) as object)).toEqual(['a', 'd']);
  });

  it('0.2-V1: takes undefined for nothing: null alone and in a list, and no member of an object', () => {
    expect(plainJson(undefined)).toBeNull();
    expect(plainJson([undefined, { a: undefined, b: [undefined] }])).toEqual([null, { b: [null] }]);
  });

  it('0.2-V1: takes an object that says what it is in JSON for that', () => {
    expect(plainJson({ at: new Date(0) })).toEqual({ at: '1970-01-01T00:00:00.000Z' });
  });

  it('keeps names that have meaning in JavaScript, and takes one object twice for two', () => {
    const twice = { x: 1 };
    const value: unknown = JSON.parse('{"__proto__":{"a":1}}');
    expect(JSON.stringify(plainJson(value))).toBe('{"__proto__":{"a":1}}');
    expect(plainJson([twice, twice])).toEqual([twice, twice]);
    expect(plainJson(nested(900))).toEqual(nested(900));
    expect(plainJson('x'.repeat(10 * 1024 * 1024 - 2))).toHaveLength(10 * 1024 * 1024 - 2);
  });

  it.each<[string, unknown, string]>([
    ['a function', { f: () => 1 }, '/f is function'],
    ['a symbol', [Symbol('s')], '/0 is symbol'],
    ['a bigint', { n: 1n }, '/n is bigint'],
    ['NaN', { a: { n: Number.NaN } }, '/a/n is NaN'],
    ['infinity', -Infinity, 'the result is -Infinity'],
    ['an instance of a class', { at: new (class Order {})() }, '/at is an instance of Order'],
    ['what an object says it is', { at: { toJSON: () => 1n } }, '/at is bigint'],
    ['a map', new Map(), 'the result is an instance of Map'],
    ['a function behind a name with a slash', { 'a/b~': [() => 1] }, '/a~1b~0/0 is function'],
    ['901 levels', nested(901), 'nested more than 900 levels deep'],
    ['250,001 lists in a list', Array.from({ length: 250_001 }, () => []), 'more than 500000 objects, lists'],
    ['10 MB of text', ['x'.repeat(10 * 1024 * 1024 - 3)], 'more than 10485760 bytes'],
    [
      'one text many times',
      Array.from({ length: 100 }, () => 'x'.repeat(9_000_000)),
      'more than 10485760 bytes',
    ],
    ['a cycle', loop, '/self/0 is an object that holds itself'],
  ])('refuses %s, and says where', (_, value, words) => {
    expect(() => plainJson(value)).toThrow(words);
  });
});
