import { describe, expect, it } from '@jest/globals';
import { derivedId } from './derived-id.js';

const NAMESPACE = '6ba7b810-9dad-11d1-80b4-00c04fd430c8';

describe('derivedId', () => {
  it('is the UUIDv5 that RFC 9562 gives as its example, for ever', () => {
    expect(derivedId(NAMESPACE, 'www.example.com')).toBe('2ed6657d-e927-568b-95e1-2665a8aea6a2');
  });

  it('differs by name and by namespace', () => {
    const a = derivedId(NAMESPACE, 'a');
    expect(new Set([a, derivedId(NAMESPACE, 'b'), derivedId(a, 'a')]).size).toBe(3);
  });

  it('refuses a namespace that is no UUID', () => {
    expect(() => derivedId('session', 'a')).toThrow(TypeError);
  });
});
