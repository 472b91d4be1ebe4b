import { describe, expect, it } from '@jest/globals';
import { KnownIds } from './known-ids.mjs';

function knownIdsOf(streams: Record<string, string[]>) {
  const reads: [string, number][] = [];
  const knownIds = new KnownIds((stream, revision) => {
    reads.push([stream, revision]);
    return (streams[stream] ?? []).slice(revision);
  });
  return { knownIds, reads };
}

describe('KnownIds', () => {
  it('finds the last place of an id, in its stream only', () => {
    const { knownIds } = knownIdsOf({ a: ['x', 'y', 'x'], b: ['z'] });
    expect(['x', 'y', 'z'].map((id) => knownIds.revisionOf('a', id))).toEqual([2, 1, undefined]);
    expect(knownIds.revisionOf('b', 'z')).toBe(0);
  });

  it('reads only what a stream has got since', () => {
    const streams = { a: ['x'] };
    const { knownIds, reads } = knownIdsOf(streams);
    knownIds.revisionOf('a', 'y');
    streams.a.push('y', 'w');
    expect(knownIds.revisionOf('a', 'y')).toBe(1);
    expect(knownIds.revisionOf('a', 'w')).toBe(2);
    expect(reads).toEqual([
      ['a', 0],
      ['a', 1],
      ['a', 3],
    ]);
  });

  it('reads all again after `forget`', () => {
    const streams = { a: ['never-stored'] };
    const { knownIds } = knownIdsOf(streams);
    knownIds.revisionOf('a', 'x');
    streams.a = ['x'];
    knownIds.forget();
    expect(knownIds.revisionOf('a', 'never-stored')).toBeUndefined();
    expect(knownIds.revisionOf('a', 'x')).toBe(0);
  });

  it('lets go of other streams once it knows very many ids', () => {
    const many = Array.from({ length: 100_001 }, (_, n) => String(n));
    const { knownIds, reads } = knownIdsOf({ many, small: ['x'] });
    expect(knownIds.revisionOf('many', '100000')).toBe(100_000);
    expect(knownIds.revisionOf('small', 'x')).toBe(0);
    expect(knownIds.revisionOf('many', '7')).toBe(7);
    expect(reads.map(([, revision]) => revision)).toEqual([0, 0, 0]);
  });
});
