import { describe, expect, it } from '@jest/globals';
import { escapePointerToken, pointerTokens } from './json-pointer.js';

describe('a JSON pointer', () => {
  it('gives back the names it was built from', () => {
    for (const names of [[], [''], ['a', 'b'], ['~', '/', '~1', '~01', 'a/b~c'], ['0', '__proto__']]) {
      const pointer = names.map((name) => `/${escapePointerToken(name)}`).join('');
      expect(pointerTokens(pointer)).toEqual(names);
    }
  });

  it('is none without its slash', () => {
    expect(pointerTokens('data')).toBeUndefined();
  });
});
