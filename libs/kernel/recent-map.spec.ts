import { describe, expect, it } from '@jest/globals';
import { RecentMap } from './recent-map.js';

describe('RecentMap', () => {
  it('lets the key go that was set the longest time ago, beyond its bound', () => {
    const map = new RecentMap<number>(2);
    map.set('a', 1).set('b', 2).set('a', 3).set('c', 4);
    expect([...map]).toEqual([
      ['a', 3],
      ['c', 4],
    ]);
  });
});
