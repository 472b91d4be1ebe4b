import { describe, expect, it } from '@jest/globals';
import { plainJson } from './plain-json.js';

const loop: { self?: unknown } = {};
loop.self = [loop];

describe('plainJson', () => {
  it('gives plain values back, without members that are undefined', () => {
    const value = { a: [1, 'x', null, true, { b: -0.5 }], c: undefined, d: Object.create(null) as object };
    expect(plainJson(value)).toEqual({ a: [1, 'x', null, true, { b: -0.5 }], d: {} });
    expect(Object.keys(plainJson(value) as object)).toEqual(['a', 'd']);
  });

  it('keeps names that have meaning in JavaScript, and takes one object twice for two', () => {
    const twice = { x: 1 };
    const value: unknown = JSON.parse('{"__proto__":{"a":1}}');
    expect(JSON.stringify(plainJson(value))).toBe('{"__proto__":{"a":1}}');
    expect(plainJson([twice, twice])).toEqual([twice, twice]);
  });

  it.each<[string, unknown, string]>([
    ['undefined', undefined, 'the result is undefined'],
    ['a function', { f: () => 1 }, '/f is function'],
    ['a symbol', [Symbol('s')], '/0 is symbol'],
    ['a bigint', { n: 1n }, '/n is bigint'],
    ['NaN', { a: { n: Number.NaN } }, '/a/n is NaN'],
    ['infinity', -Infinity, 'the result is -Infinity'],
    ['a date', { at: new Date(0) }, '/at is an instance of Date'],
    ['a map', new Map(), 'the result is an instance of Map'],
    ['undefined in a list', [undefined], '/0 is undefined'],
    ['a cycle', loop, '/self/0 is an object that holds itself'],
  ])('refuses %s, and says where', (_, value, words) => {
    expect(() => plainJson(value)).toThrow(words);
  });
});
