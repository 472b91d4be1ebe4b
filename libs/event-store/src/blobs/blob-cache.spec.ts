import { describe, expect, it } from '@jest/globals';
import { BlobCache } from './blob-cache.js';

describe('BlobCache', () => {
  it('keeps what was used last, up to its characters', () => {
    const cache = new BlobCache(10);
    cache.keep('a', '1234');
    cache.keep('b', '1234');
    expect(cache.get('a')).toBe('1234');
    cache.keep('c', '1234');
    expect(['a', 'b', 'c'].map((hash) => cache.get(hash))).toEqual(['1234', undefined, '1234']);
  });

  it('counts a text once that is kept again, and keeps none that has no room', () => {
    const cache = new BlobCache(10);
    for (let n = 0; n < 5; n += 1) cache.keep('a', '12345678');
    cache.keep('b', '12');
    cache.keep('large', '12345678901');
    expect(['a', 'b', 'large'].map((hash) => cache.get(hash))).toEqual(['12345678', '12', undefined]);
  });
});
