import { expect, it } from '@jest/globals';
import { InvalidAppend, RevisionConflict } from '../../errors.js';
import type { EventToStore, ExpectedRevision } from '../../event-store.js';
import { anEvent, idsOf, someEvents, wholeLog } from './sample-events.js';
import type { CurrentSubject } from './subject.js';

export function describeAppending(subject: CurrentSubject): void {
  it('gives a stream revisions from 0 without gaps, and the log positions that grow', async () => {
    const { store } = subject();
    const first = await store.append('a', 'no-stream', someEvents(2));
    const second = await store.append('b', 'no-stream', someEvents(1));
    const third = await store.append('a', 1, someEvents(3));
    expect([first.revision, second.revision, third.revision]).toEqual([1, 0, 4]);
    expect(first.position < second.position && second.position < third.position).toBe(true);
    const log = await wholeLog(store);
    expect(log.map((event) => [event.stream, event.revision])).toEqual([
      ['a', 0],
      ['a', 1],
      ['b', 0],
      ['a', 2],
      ['a', 3],
      ['a', 4],
    ]);
    const positions = log.map((event) => event.position);
    expect(positions).toEqual([...new Set(positions)].toSorted());
    expect(positions.at(-1)).toBe(third.position);
  });

  it('D-50, F-60: takes an append exactly when the stream is as expected', async () => {
    const { store } = subject();
    const attempt = (stream: string, expected: ExpectedRevision) =>
      store.append(stream, expected, [anEvent()]).then(
        (result) => result.revision,
        (error: unknown) => error,
      );
    for (const expected of ['stream-exists', 0, 1] as const) {
      expect(await attempt('s', expected)).toMatchObject({ stream: 's', expected, actual: undefined });
    }
    expect(await attempt('s', 'no-stream')).toBe(0);
    expect(await attempt('s', 'no-stream')).toMatchObject({ expected: 'no-stream', actual: 0 });
    expect(await attempt('s', 0)).toBe(1);
    expect(await attempt('s', 0)).toBeInstanceOf(RevisionConflict);
    expect(await attempt('s', 2)).toMatchObject({ expected: 2, actual: 1 });
    expect(await attempt('s', 'any')).toBe(2);
    expect(await attempt('s', 'stream-exists')).toBe(3);
    expect(await attempt('fresh', 'any')).toBe(0);
  });

  it('keeps nothing of an append that it refuses', async () => {
    const { store } = subject();
    await store.append('s', 'no-stream', someEvents(2));
    const before = await wholeLog(store);
    await expect(store.append('s', 0, someEvents(3))).rejects.toBeInstanceOf(RevisionConflict);
    await expect(store.append('new', 0, someEvents(3))).rejects.toBeInstanceOf(RevisionConflict);
    expect(await wholeLog(store)).toEqual(before);
    expect(await store.readStream('new')).toEqual([]);
  });

  it('keeps the events of one append together and in their order', async () => {
    const { store } = subject();
    const appends = Array.from({ length: 20 }, () => someEvents(5));
    await Promise.all(appends.map((events) => store.append('s', 'any', events)));
    const stored = idsOf(await store.readStream('s'));
    for (const events of appends) {
      const start = stored.indexOf(idsOf(events)[0] ?? '');
      expect(stored.slice(start, start + 5)).toEqual(idsOf(events));
    }
    expect(stored).toHaveLength(100);
  });

  it('refuses an invalid append before the stream is read', async () => {
    const { store } = subject();
    const event = anEvent();
    const bugs: [string, ExpectedRevision, EventToStore[]][] = [
      ['s', 'any', []],
      ['s', 'any', [event, anEvent(), event]],
      ['s', -1, [anEvent()]],
      ['s', 0.5, [anEvent()]],
      ['', 'any', [anEvent()]],
      ['s', 'any', [anEvent('"\ud800"')]],
      ['\udfff', 'any', [anEvent()]],
    ];
    for (const bug of bugs) await expect(store.append(...bug)).rejects.toBeInstanceOf(InvalidAppend);
    expect(await wholeLog(store)).toEqual([]);
  });
}
