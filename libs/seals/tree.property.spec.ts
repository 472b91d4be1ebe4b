import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { levelsOf, pathIn, rootBy, rootOf, Tree } from './tree.js';

const leaf = (n: number) => createHash('sha256').update(`leaf ${n}`).digest();
const leaves = (count: number) => Array.from({ length: count }, (_, n) => leaf(n));

/** Section 2.1 of RFC 6962, word for word. */
function rootOfRfc(all: readonly Buffer[]): Buffer {
  const [only] = all;
  if (all.length === 1 && only) return only;
  let split = 1;
  while (split * 2 < all.length) split *= 2;
  const [left, right] = [rootOfRfc(all.slice(0, split)), rootOfRfc(all.slice(split))];
  return createHash('sha256')
    .update(Buffer.concat([Buffer.of(1), left, right]))
    .digest();
}

const sizes = fc.integer({ min: 1, max: 300 });

describe('the tree over a log', () => {
  it('has the root of RFC 6962 after each leaf', () => {
    const tree = new Tree();
    for (const [index, hash] of leaves(300).entries()) {
      tree.add(hash);
      expect(tree.root).toEqual(rootOfRfc(leaves(index + 1)));
    }
  });

  it('has the same root over the roots of each 64 leaves', () => {
    fc.assert(
      fc.property(sizes, (count) => {
        const all = leaves(count);
        const blocks = Array.from({ length: Math.ceil(count / 64) }, (_, n) =>
          all.slice(n * 64, n * 64 + 64),
        );
        const roots = blocks.map((block) => rootOf(block) ?? leaf(-1));
        expect(rootOf(roots)).toEqual(rootOf(all));
      }),
    );
  });

  it('leads from each leaf to the root by its path, and from no other leaf, index or size', () => {
    fc.assert(
      fc.property(sizes, fc.nat(), (count, at) => {
        const [all, index] = [leaves(count), at % count];
        const path = pathIn(levelsOf(all), index);
        const root = rootOf(all);
        expect(rootBy(leaf(index), index, count, path)).toEqual(root);
        expect(rootBy(leaf(index + 1), index, count, path)).not.toEqual(root);
        expect(rootBy(leaf(index), index + 1, count, path)).not.toEqual(root);
        expect(rootBy(leaf(index), index, count, [...path, leaf(0)])).not.toEqual(root);
      }),
    );
  });

  it('has no root without a leaf', () => {
    expect([rootOf([]), new Tree().root]).toEqual([undefined, undefined]);
  });
});
