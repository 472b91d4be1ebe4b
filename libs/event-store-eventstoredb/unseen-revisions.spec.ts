import { describe, expect, it } from '@jest/globals';
import type { Position, StoredEvent } from '#lib/event-store';
import { UnseenRevisions } from './unseen-revisions.js';

const upTo = (last: number): readonly StoredEvent[] =>
  Array.from({ length: last + 1 }, (_, revision) => ({
    eventId: String(revision),
    type: 'T',
    data: '{}',
    metadata: '{}',
    stream: 's',
    revision,
    position: '0' as Position,
  }));

describe('UnseenRevisions', () => {
  it('misses what a read should have given and did not, until a read shows it', () => {
    const unseen = new UnseenRevisions();
    unseen.note('s', 3);
    expect(unseen.areMissing('other', {}, [])).toBe(false);
    expect(unseen.areMissing('s', {}, upTo(2))).toBe(true);
    expect(unseen.areMissing('s', { limit: 2 }, upTo(1))).toBe(false);
    expect(unseen.areMissing('s', { from: 4 }, [])).toBe(false);
    expect(unseen.areMissing('s', { direction: 'backwards', limit: 1 }, upTo(2).slice(-1))).toBe(true);
    expect(unseen.areMissing('s', { direction: 'backwards', from: 2 }, upTo(2).toReversed())).toBe(false);
    expect(unseen.areMissing('s', {}, upTo(3))).toBe(false);
    expect(unseen.areMissing('s', {}, [])).toBe(false);
  });

  it('keeps the highest revision of a stream that was ever named', () => {
    const unseen = new UnseenRevisions();
    unseen.note('s', 3);
    unseen.note('s', 1);
    expect(unseen.areMissing('s', {}, upTo(2))).toBe(true);
  });

  it('forgets the streams first that were named longest ago', () => {
    const unseen = new UnseenRevisions(2);
    for (const stream of ['a', 'b', 'a', 'c']) unseen.note(stream, 0);
    expect(['a', 'b', 'c'].map((stream) => unseen.areMissing(stream, {}, []))).toEqual([true, false, true]);
  });
});
