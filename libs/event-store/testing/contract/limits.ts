import { expect, it } from '@jest/globals';
import { appendSize, LARGEST_APPEND } from '../../append-size.js';
import { AppendTooLarge } from '../../errors.js';
import type { EventToStore } from '../../event-store.js';
import { anEvent, someEvents, wholeLog } from './sample-events.js';
import type { CurrentSubject } from './subject.js';

export function describeLimits(subject: CurrentSubject): void {
  it.each(['x', 'ż', '👩'])(
    'takes an append of 1,000,000 bytes, and gives it back to the letter: %s',
    async (letter) => {
      const { store, hiddenPrefix = '' } = subject();
      const events = filledUp(`${hiddenPrefix}s`, letter, LARGEST_APPEND);
      expect(appendSize(`${hiddenPrefix}s`, events)).toBe(LARGEST_APPEND);
      expect(await store.append('s', 'no-stream', events)).toMatchObject({ revision: 1 });
      const stored = await store.readStream('s');
      expect(stored.map(({ data }, n) => data === events[n]?.data)).toEqual([true, true]);
      expect((await wholeLog(store)).map(({ data }, n) => data === events[n]?.data)).toEqual([true, true]);
    },
  );

  it('refuses one byte more, in any member, and stores nothing', async () => {
    const { store, hiddenPrefix = '' } = subject();
    await store.append('s', 'no-stream', someEvents(1));
    const before = await wholeLog(store);
    const [small, large] = filledUp(`${hiddenPrefix}s`, 'x', LARGEST_APPEND) as [EventToStore, EventToStore];
    for (const events of [
      [small, { ...large, data: `${large.data} ` }],
      [{ ...small, metadata: `${small.metadata} ` }, large],
      [small, { ...large, type: `${large.type}s` }],
    ]) {
      await expect(store.append('s', 0, events)).rejects.toBeInstanceOf(AppendTooLarge);
    }
    await expect(store.append('ss', 'any', [small, large])).rejects.toThrow(
      /^\[AppendTooLarge\] cannot append to \w*ss: 2 events of 1000001 bytes, .* more than the 1000000 bytes that .*\. Nothing was written\. /,
    );
    expect(await wholeLog(store)).toEqual(before);
    expect(await store.readStream('ss')).toEqual([]);
  });
}

/** A small event, and one that fills an append to this stream up to this size. */
function filledUp(stream: string, letter: string, size: number): EventToStore[] {
  const [small, empty] = [anEvent(), anEvent('""')];
  const left = size - appendSize(stream, [small, empty]);
  const text = letter.repeat(Math.floor(left / Buffer.byteLength(letter)));
  const padding = ' '.repeat(left - Buffer.byteLength(text));
  return [small, { ...empty, data: `"${text}"${padding}` }];
}
