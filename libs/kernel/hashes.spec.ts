import { describe, expect, it } from '@jest/globals';
import { derivedId, sha256 } from './hashes.js';

const NAMESPACE = '6ba7b810-9dad-11d1-80b4-00c04fd430c8';

describe('derivedId', () => {
  it('is the UUIDv5 that RFC 9562 gives as its example, for ever', () => {
    expect(derivedId(NAMESPACE, 'www.example.com')).toBe('2ed6657d-e927-568b-95e1-2665a8aea6a2');
  });

  it('differs by name and by namespace', () => {
    const a = derivedId(NAMESPACE, 'a');
    expect(new Set([a, derivedId(NAMESPACE, 'b'), derivedId(a, 'a')]).size).toBe(3);
  });

  it('refuses a namespace that is not a UUID', () => {
    expect(() => derivedId('session', 'a')).toThrow(TypeError);
  });
});

describe('sha256', () => {
  it('is of the UTF-8 bytes, in lower-case hexadecimal digits', () => {
    expect(sha256('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
    expect(sha256('é')).toBe(sha256(Uint8Array.of(0xc3, 0xa9)));
  });
});
