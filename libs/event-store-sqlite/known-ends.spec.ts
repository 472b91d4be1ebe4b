import { describe, expect, it } from '@jest/globals';
import { KnownEnds } from './known-ends.mjs';

/** A file with one stream, `a`, that counts the questions. */
function endsOf(file: { version: number; sequence: number; revision: number | undefined }) {
  const asked = { places: 0, ends: 0 };
  const ends = new KnownEnds({
    dataVersion: () => file.version,
    lastSequence: () => {
      asked.places += 1;
      return file.sequence;
    },
    endOf: (stream) => {
      asked.ends += 1;
      return stream === 'a' ? { id: 1, revision: file.revision } : undefined;
    },
  });
  ends.refresh();
  return { ends, asked };
}

describe('KnownEnds', () => {
  it('asks the file once for an end that it does not know', () => {
    const { ends, asked } = endsOf({ version: 1, sequence: 7, revision: 3 });
    expect([ends.lastSequence(), ends.lastSequence()]).toEqual([7, 7]);
    expect([ends.endOf('a')?.revision, ends.endOf('a')?.revision, ends.endOf('b')?.revision]).toEqual([
      3,
      3,
      undefined,
    ]);
    expect(asked).toEqual({ places: 1, ends: 2 });
  });

  it('goes on from its own writes, across transactions, while no other connection writes', () => {
    const { ends, asked } = endsOf({ version: 1, sequence: 7, revision: 3 });
    ends.moved('a', { id: 1, revision: 5 }, 9);
    ends.moved('b', { id: 2, revision: 0 }, 10);
    ends.refresh();
    expect([ends.endOf('a')?.revision, ends.endOf('b')?.revision, ends.lastSequence()]).toEqual([5, 0, 10]);
    expect(asked).toEqual({ places: 0, ends: 0 });
  });

  it('asks the file again once another connection has written', () => {
    const file = { version: 1, sequence: 7, revision: 3 };
    const { ends } = endsOf(file);
    ends.moved('a', { id: 1, revision: 5 }, 9);
    Object.assign(file, { version: 2, sequence: 12, revision: 8 });
    ends.refresh();
    expect([ends.endOf('a')?.revision, ends.lastSequence()]).toEqual([8, 12]);
  });

  it('asks the file again after `forget`', () => {
    const { ends } = endsOf({ version: 1, sequence: 7, revision: 3 });
    ends.moved('a', { id: 1, revision: 5 }, 9);
    ends.forget();
    expect([ends.endOf('a')?.revision, ends.lastSequence()]).toEqual([3, 7]);
  });

  it('keeps no more than it has room for, and stays right', () => {
    const { ends, asked } = endsOf({ version: 1, sequence: 7, revision: 3 });
    ends.endOf('a');
    for (let n = 0; n < 100_000; n++) ends.moved(`other-${n}`, { id: 2 + n, revision: 0 }, 8 + n);
    expect(ends.endOf('a')?.revision).toBe(3);
    expect(asked.ends).toBe(2);
  });
});
