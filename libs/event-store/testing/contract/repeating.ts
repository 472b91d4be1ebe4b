import { expect, it } from '@jest/globals';
import { RevisionConflict } from '../../errors.js';
import { anEvent, someEvents, wholeLog } from './sample-events.js';
import type { CurrentSubject } from './subject.js';

export function describeRepeating(subject: CurrentSubject): void {
  it('answers a repeat at a passed revision as the first time, and adds nothing', async () => {
    const { store } = subject();
    const [first, second] = [someEvents(2), someEvents(3)];
    const created = await store.append('s', 'no-stream', first);
    const extended = await store.append('s', 1, second);
    await store.append('s', 4, someEvents(1));
    const before = await wholeLog(store);
    expect(await store.append('s', 'no-stream', first)).toEqual(created);
    expect(await store.append('s', 1, second)).toEqual(extended);
    expect(await store.append('s', 1, second.slice(0, 2))).toMatchObject({ revision: 3 });
    expect(await store.append('s', 'no-stream', [...first, ...second])).toEqual(extended);
    expect(await wholeLog(store)).toEqual(before);
  });

  it('refuses a partial repeat at a passed revision', async () => {
    const { store } = subject();
    const events = someEvents(3);
    const [a, b, c] = events as [(typeof events)[0], (typeof events)[0], (typeof events)[0]];
    await store.append('s', 'no-stream', events);
    for (const other of [[anEvent()], [a, anEvent()], [b, a], [a, c], [b], [a, b, c, anEvent()]]) {
      await expect(store.append('s', 'no-stream', other)).rejects.toBeInstanceOf(RevisionConflict);
    }
    await expect(store.append('s', 1, [c, anEvent()])).rejects.toBeInstanceOf(RevisionConflict);
    await expect(store.append('s', 5, events)).rejects.toBeInstanceOf(RevisionConflict);
    expect(await wholeLog(store)).toHaveLength(3);
  });

  it.each(['any', 'stream-exists'] as const)('knows a repeat by its ids under %s', async (expected) => {
    const { store } = subject();
    const [first, second] = [someEvents(2), someEvents(2)];
    await store.append('s', 'no-stream', first);
    const result = await store.append('s', expected, second);
    await store.append('s', 3, someEvents(1));
    expect(await store.append('s', expected, second)).toEqual(result);
    expect(await store.append('s', expected, first)).toMatchObject({ revision: 1 });
    expect(await store.append('s', expected, [...first, ...second])).toEqual(result);
    expect(await wholeLog(store)).toHaveLength(5);
  });

  it.each(['any', 'stream-exists'] as const)('refuses half a repeat under %s', async (expected) => {
    const { store } = subject();
    const events = someEvents(3);
    const [a, b, c] = events as [(typeof events)[0], (typeof events)[0], (typeof events)[0]];
    await store.append('s', 'no-stream', events);
    for (const half of [
      [a, anEvent()],
      [b, a],
      [a, c],
      [c, anEvent()],
    ]) {
      await expect(store.append('s', expected, half)).rejects.toMatchObject({ actual: 2 });
    }
    expect(await wholeLog(store)).toHaveLength(3);
  });

  it.each(['any', 'stream-exists'] as const)(
    'appends under %s when the first id is new',
    async (expected) => {
      const { store } = subject();
      const [known] = someEvents(1) as [ReturnType<typeof anEvent>];
      await store.append('s', 'no-stream', [known]);
      expect(await store.append('s', expected, [anEvent(), known])).toMatchObject({ revision: 2 });
    },
  );

  it('takes an id that another stream holds as a new event', async () => {
    const { store } = subject();
    const events = someEvents(2);
    await store.append('one', 'any', events);
    expect(await store.append('two', 'any', events)).toMatchObject({ revision: 1 });
    expect(await store.append('three', 'no-stream', events)).toMatchObject({ revision: 1 });
    await expect(store.append('four', 'stream-exists', events)).rejects.toBeInstanceOf(RevisionConflict);
    expect(await wholeLog(store)).toHaveLength(6);
  });

  it('appends once when the same append runs many times at once', async () => {
    const { store } = subject();
    for (const expected of ['no-stream', 'any'] as const) {
      const events = someEvents(2);
      const results = await Promise.all(
        Array.from({ length: 20 }, () => store.append(`s-${expected}`, expected, events)),
      );
      expect(new Set(results.map((result) => result.position)).size).toBe(1);
      expect(await store.readStream(`s-${expected}`)).toHaveLength(2);
    }
  });
}
