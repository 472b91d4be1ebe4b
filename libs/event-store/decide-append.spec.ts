import { describe, expect, it } from '@jest/globals';
import { decideAppend } from './decide-append.mjs';
import type { ExpectedRevision } from './event-store.js';

function decide(held: readonly string[], expected: ExpectedRevision, eventIds: readonly string[]) {
  return decideAppend(expected, eventIds, {
    lastRevision: held.length === 0 ? undefined : held.length - 1,
    idAt: (revision) => held[revision],
    revisionOf: (eventId) => {
      const revision = held.lastIndexOf(eventId);
      return revision === -1 ? undefined : revision;
    },
  });
}

const conflict = { kind: 'conflict' };
const append = (first: number) => ({ kind: 'append', first });
const stored = (first: number) => ({ kind: 'stored', first });

describe('decideAppend', () => {
  it.each<[held: string, expected: ExpectedRevision, ids: string, decision: object]>([
    ['', 'no-stream', 'a', append(0)],
    ['', 'any', 'a', append(0)],
    ['', 'stream-exists', 'a', conflict],
    ['', 0, 'a', conflict],
    ['ab', 1, 'c', append(2)],
    ['ab', 2, 'c', conflict],
    ['ab', 0, 'b', stored(1)],
    ['ab', 0, 'c', conflict],
    ['ab', 0, 'bc', conflict],
    ['ab', 'no-stream', 'ab', stored(0)],
    ['ab', 'no-stream', 'ba', conflict],
    ['ab', 1, 'a', append(2)],
    ['abc', 'any', 'bc', stored(1)],
    ['abc', 'any', 'ac', conflict],
    ['abc', 'any', 'cd', conflict],
    ['abc', 'any', 'da', append(3)],
    ['abc', 'stream-exists', 'ab', stored(0)],
    ['aba', 'any', 'a', stored(2)],
  ])('of a stream %j at %s takes %j as %j', (held, expected, ids, decision) => {
    expect(decide(held.split(''), expected, ids.split(''))).toEqual(decision);
  });
});
