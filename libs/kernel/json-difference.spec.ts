import { describe, expect, it } from '@jest/globals';
import { firstDifference } from './json-difference.js';

describe('firstDifference', () => {
  it('finds none between values with the same JSON text', () => {
    const value = { a: [1, { b: null }], c: 'x' };
    expect(firstDifference(value, structuredClone(value))).toBeUndefined();
    expect(firstDifference({ a: undefined }, {})).toBeUndefined();
    expect(firstDifference([undefined], [null])).toBeUndefined();
    expect(firstDifference(-0, 0)).toBeUndefined();
  });

  it('points at the first difference, in the reading order of what was recorded', () => {
    const recorded = { z: 1, list: [1, { deep: 'old', more: 1 }], a: 1 };
    const replayed = { z: 1, list: [1, { deep: 'new', more: 2 }], a: 2 };
    expect(firstDifference(recorded, replayed)).toEqual({
      pointer: '/list/1/deep',
      recorded: 'old',
      replayed: 'new',
    });
  });

  it('starts pointers below a given pointer', () => {
    expect(firstDifference({ a: 1 }, { a: 2 }, '/data')?.pointer).toBe('/data/a');
    expect(firstDifference(1, 2, '/data')?.pointer).toBe('/data');
  });

  it('points at a member that only one side has, with undefined for the side that lacks it', () => {
    expect(firstDifference({ a: 1 }, {})).toEqual({ pointer: '/a', recorded: 1, replayed: undefined });
    expect(firstDifference({}, { a: null })).toEqual({ pointer: '/a', recorded: undefined, replayed: null });
    expect(firstDifference([1], [1, 2])).toEqual({ pointer: '/1', recorded: undefined, replayed: 2 });
  });

  it('counts another order of members as a difference of the object that holds them', () => {
    const [recorded, replayed] = [{ o: { a: 1, b: 2 } }, { o: { b: 2, a: 1 } }];
    expect(firstDifference(recorded, replayed)).toEqual({
      pointer: '/o',
      recorded: recorded.o,
      replayed: replayed.o,
    });
  });

  it('does not look into values of different kinds', () => {
    for (const [recorded, replayed] of [
      [[1], { 0: 1 }],
      [{ a: 1 }, null],
      ['1', 1],
      [[], {}],
    ]) {
      expect(firstDifference({ at: recorded }, { at: replayed })).toEqual({
        pointer: '/at',
        recorded,
        replayed,
      });
    }
  });

  it('takes undefined and holes in a list for the null that JSON text has there', () => {
    expect(firstDifference([null, 1], [undefined, 2])).toEqual({ pointer: '/1', recorded: 1, replayed: 2 });
    const hole: unknown[] = [];
    hole.length = 1;
    expect(firstDifference(hole, [null])).toBeUndefined();
    expect(firstDifference(hole, [1])).toEqual({ pointer: '/0', recorded: null, replayed: 1 });
  });

  it('escapes names in pointers', () => {
    expect(firstDifference({ 'a/b~c': 1 }, { 'a/b~c': 2 })?.pointer).toBe('/a~1b~0c');
  });

  it('reads members that are called like those every object inherits', () => {
    const recorded: unknown = JSON.parse('{"__proto__":{"x":1},"constructor":1}');
    expect(firstDifference(recorded, JSON.parse('{"__proto__":{"x":2},"constructor":1}'))).toEqual({
      pointer: '/__proto__/x',
      recorded: 1,
      replayed: 2,
    });
    expect(firstDifference({}, JSON.parse('{"constructor":1}'))?.pointer).toBe('/constructor');
  });
});
