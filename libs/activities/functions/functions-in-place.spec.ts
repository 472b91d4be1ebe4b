import { expect, it } from '@jest/globals';
import { DuplicateFunction, functionsInPlace } from './functions-in-place.js';

const answer = () => true;
const place = (definition: object) => functionsInPlace<object>('a', definition);

it('a function is known by its path, with the id or title of an item, or its index where it has none or shares it', () => {
  const items = [
    { id: 'x', if: answer },
    { title: 'T', if: [answer] },
    { if: { fn: answer } },
    { id: 'y', if: answer },
    { id: 'y' },
  ];
  expect(place({ items, fnName: answer })).toEqual({
    definition: {
      items: [
        { id: 'x', if: { fn: 'a/items/x/if' } },
        { title: 'T', if: [{ fn: 'a/items/T/if/0' }] },
        { if: { fn: 'a/items/2/if' } },
        { id: 'y', if: { fn: 'a/items/3/if' } },
        { id: 'y' },
      ],
      fnName: 'a',
    },
    functions: Object.fromEntries(
      ['a/items/x/if', 'a/items/T/if/0', 'a/items/2/if', 'a/items/3/if', 'a'].map((path) => [path, answer]),
    ),
  });
});

it('two functions with one path are refused', () => {
  const items = [{ if: answer }, { id: '0', if: answer }];
  expect(() => place({ items })).toThrow(DuplicateFunction);
});

it('what is no plain object is left as it is', () => {
  const since = new Date(0);
  expect(place({ since, nothing: null, list: [since] }).definition).toEqual({
    since,
    nothing: null,
    list: [since],
  });
});
