import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { KeptMap } from './kept-map.js';

type Change = readonly [key: string, value: number | undefined];
const changes = fc.array(
  fc.tuple(fc.constantFrom('a', 'b', 'c#1', 'c#2', 'd', 'e'), fc.option(fc.nat(9), { nil: undefined })),
  { maxLength: 60 },
);

function changed(map: KeptMap<number>, [key, value]: Change): KeptMap<number> {
  return value === undefined ? map.without(key) : map.with(key, value);
}

interface Tree {
  readonly left?: Tree;
  readonly right?: Tree;
}

/** The nodes of a map, which are the same objects in maps that share them. */
function nodesOf(map: object): ReadonlySet<object> {
  const found = new Set<object>();
  const visit = (node?: Tree): void => {
    if (!node) return;
    found.add(node);
    visit(node.left);
    visit(node.right);
  };
  visit((map as { readonly root?: Tree }).root);
  return found;
}

describe('a map that is kept', () => {
  it('holds what a Map holds, in its order, and stays so whatever is made from it', () => {
    fc.assert(
      fc.property(changes, changes, (first, others) => {
        const map = first.reduce(changed, KeptMap.empty<number>());
        const model = new Map<string, number>();
        for (const [key, value] of first)
          if (value === undefined) model.delete(key);
          else model.set(key, value);
        others.reduce(changed, map);
        expect([...map]).toEqual([...model]);
        expect(map.keys()).toEqual([...model.keys()]);
        expect(map.values()).toEqual([...model.values()]);
        expect(map.size).toBe(model.size);
        for (const key of ['a', 'b', 'z'])
          expect([map.get(key), map.has(key)]).toEqual([model.get(key), model.has(key)]);
      }),
    );
  });

  it('of 20,000 keys, as many events as a run may have, makes a few nodes for each change', () => {
    let map = KeptMap.empty<number>();
    for (let index = 0; index < 20_000; index++) map = map.with(`round-${index}.call-1#1`, index);
    let most = 0;
    for (let index = 0; index < 100; index++) {
      const known = nodesOf(map);
      map = index % 2 ? map.without(`round-${index * 7}.call-1#1`) : map.with(`later-${index}#1`, index);
      const made = [...nodesOf(map)].filter((node) => !known.has(node)).length;
      most = Math.max(most, made);
    }
    expect(most).toBeGreaterThan(0);
    // The expected depth of a tree of random priorities is less than 2 ln n = 20.
    expect(most).toBeLessThan(60);
  });
});
