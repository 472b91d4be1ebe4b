import { describe, expect, it } from '@jest/globals';
import { sha256 } from './sha256.js';

describe('sha256', () => {
  it('is of the UTF-8 bytes, in lower-case hexadecimal digits', () => {
    expect(sha256('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
    expect(sha256('é')).toBe(sha256(Uint8Array.of(0xc3, 0xa9)));
  });
});
