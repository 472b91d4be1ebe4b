import { expect, it } from '@jest/globals';
import { changesOf } from './changes.js';

it.each([
  [{ a: 1 }, { a: 2 }, [{ pointer: '/a', before: 1, after: 2 }]],
  [{ a: 1 }, {}, [{ pointer: '/a', before: 1 }]],
  [{}, { a: 1 }, [{ pointer: '/a', after: 1 }]],
  [
    { a: { _id: 1, _t: 1 } },
    { a: { _id: 2, _t: 2 } },
    [['/a/_id'], ['/a/_t']].map(([pointer]) => ({ pointer, before: 1, after: 2 })),
  ],
  [{ 'a/b~c': 1 }, { 'a/b~c': 2 }, [{ pointer: '/a~1b~0c', before: 1, after: 2 }]],
  [
    { a: [{ x: 1 }] },
    { a: [{ x: 2 }] },
    [
      { pointer: '/a/0', after: { x: 2 } },
      { pointer: '/a/0', before: { x: 1 } },
    ],
  ],
  [
    { a: ['one', 'two'] },
    { a: ['two', 'one'] },
    [
      { pointer: '/a/0', after: 'two' },
      { pointer: '/a/1', before: 'two' },
    ],
  ],
  [{ a: 1 }, { a: 1 }, []],
])(
  'the differences from %j to %j are named by their pointers, those of order too',
  (before, after, changes) => {
    expect(changesOf(before, after)).toEqual(expect.arrayContaining(changes));
    expect(changesOf(before, after)).toHaveLength(changes.length);
  },
);
