import { expect, it } from '@jest/globals';
import { InvalidAppend, RevisionConflict } from '../../errors.js';
import type { StreamAppend } from '../../event-store.js';
import { idsOf, someEvents, wholeLog } from './sample-events.js';
import type { CurrentSubject } from './subject.js';

const STREAMS = ['session', 'run', 'blob-1', 'child'];

/** One append of two events to each of these streams, all of them new. */
function appendsToNewStreams(): StreamAppend[] {
  return STREAMS.map((stream) => ({ stream, expected: 'no-stream', events: someEvents(2) }));
}

export function describeAppendingInOrder(subject: CurrentSubject): void {
  it('makes the appends one after another, in this order in the log', async () => {
    const { store } = subject();
    const [first, second] = [someEvents(1), someEvents(1)];
    const results = await store.appendInOrder([
      { stream: 'a', expected: 'no-stream', events: first },
      ...appendsToNewStreams(),
      { stream: 'a', expected: 0, events: second },
    ]);
    expect(results.map(({ revision }) => revision)).toEqual([0, 1, 1, 1, 1, 1]);
    const positions = results.map(({ position }) => position);
    expect(positions).toEqual(positions.toSorted());
    expect(idsOf(await store.readStream('a'))).toEqual(idsOf([...first, ...second]));
    const log = await wholeLog(store);
    expect(log.map(({ stream }) => stream)).toEqual('a session session run run child child a'.split(' '));
    expect(log.at(-1)?.position).toBe(positions.at(-1));
  });

  it.each(STREAMS.map((_, cut) => [cut]))(
    'stops at a conflict after %i appends: these stay, none after them is made, and a repeat completes them',
    async (cut) => {
      const { store } = subject();
      const appends = appendsToNewStreams();
      const conflicting = appends.with(cut, { ...(appends[cut] as StreamAppend), expected: 7 });
      const conflict = await store.appendInOrder(conflicting).catch((error: unknown) => error);
      expect(conflict).toBeInstanceOf(RevisionConflict);
      expect(conflict).toMatchObject({ stream: STREAMS[cut], expected: 7, actual: undefined });
      const { written } = conflict as RevisionConflict;
      expect(written).toHaveLength(cut);
      for (const [index, { stream, events }] of appends.entries()) {
        const stored = await store.readStream(stream);
        expect(idsOf(stored)).toEqual(index < cut ? idsOf(events) : []);
        expect(stored.at(-1) ?? {}).toMatchObject(written[index] ?? {});
      }
      const results = await store.appendInOrder(appends);
      expect(results.slice(0, cut)).toEqual(written);
      expect(await store.appendInOrder(appends)).toEqual(results);
      expect(await wholeLog(store)).toHaveLength(6);
    },
  );

  it('names the actual revision of the stream in conflict', async () => {
    const { store } = subject();
    const appends = appendsToNewStreams();
    await store.append('run', 'no-stream', someEvents(3));
    await expect(store.appendInOrder(appends)).rejects.toMatchObject({ stream: 'run', actual: 2 });
  });

  it('refuses what only a bug can ask for before it makes the first append, and takes an empty list', async () => {
    const { store } = subject();
    const appends = [...appendsToNewStreams(), { stream: 's', expected: 'any', events: [] } as const];
    await expect(store.appendInOrder(appends)).rejects.toBeInstanceOf(InvalidAppend);
    expect(await store.appendInOrder([])).toEqual([]);
    expect(await wholeLog(store)).toEqual([]);
  });

  it('lets each of several lists that run at once stop at its own conflict', async () => {
    const { store } = subject();
    const outcomes = await Promise.allSettled(
      Array.from({ length: 20 }, (_, n) =>
        store.appendInOrder([
          { stream: `own-${n}`, expected: 'no-stream', events: someEvents(1) },
          { stream: 'shared', expected: 'no-stream', events: someEvents(1) },
          { stream: `after-${n}`, expected: 'no-stream', events: someEvents(1) },
        ]),
      ),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const streams = (await wholeLog(store)).map(({ stream }) => stream.split('-')[0]);
    const count = (name: string) => streams.filter((stream) => stream === name).length;
    expect([count('own'), count('shared'), count('after')]).toEqual([20, 1, 1]);
  });
}
