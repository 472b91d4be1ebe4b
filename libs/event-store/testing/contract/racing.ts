import { expect, it } from '@jest/globals';
import { RevisionConflict } from '../../errors.js';
import { follow, idsOf, someEvents, wholeLog } from './sample-events.js';
import type { CurrentSubject } from './subject.js';

export function describeRacing(subject: CurrentSubject): void {
  it('D-50: lets exactly one of 100 writers win a revision', async () => {
    const { store } = subject();
    await store.append('s', 'no-stream', someEvents(1));
    for (const expected of [0, 2]) {
      const outcomes = await Promise.allSettled(
        Array.from({ length: 100 }, () => store.append('s', expected, someEvents(2))),
      );
      const lost = outcomes.filter((outcome) => outcome.status === 'rejected');
      expect(lost).toHaveLength(99);
      for (const { reason } of lost) expect(reason).toBeInstanceOf(RevisionConflict);
      expect(await store.readStream('s')).toHaveLength(expected + 3);
    }
  });

  it('lets all of 64 writers to different streams through, one of them in conflict or not', async () => {
    const { store } = subject();
    const outcomes = await Promise.allSettled(
      Array.from({ length: 64 }, (_, n) => store.append(`s${n}`, n === 31 ? 7 : 'no-stream', someEvents(2))),
    );
    const failed = outcomes.flatMap(({ status }, n) => (status === 'rejected' ? [n] : []));
    expect(failed).toEqual([31]);
    expect(await wholeLog(store)).toHaveLength(126);
  });

  it('shows a subscriber one order, the same as reading does, while 64 writers append', async () => {
    const { store } = subject();
    const following = follow(store, undefined, (events) => events.length === 640);
    const results = await Promise.all(
      Array.from({ length: 64 }, async (_, n) => {
        const last = [];
        for (let turn = 0; turn < 10; turn += 1) {
          last.push(await store.append(`s${n}`, turn === 0 ? 'no-stream' : turn - 1, someEvents(1)));
        }
        return last;
      }),
    );
    const seen = await following;
    expect(seen).toEqual(await wholeLog(store));
    const acknowledged = results.flat().map((result) => result.position);
    expect(acknowledged.toSorted()).toEqual(seen.map((event) => event.position));
  });

  it('lets a reader see an append as soon as it is acknowledged', async () => {
    const { store } = subject();
    for (let n = 0; n < 20; n += 1) {
      const events = someEvents(1);
      const { position } = await store.append('s', 'any', events);
      expect(await store.head()).toBe(position);
      const [last] = await store.readStream('s', { direction: 'backwards', limit: 1 });
      expect(last?.eventId).toBe(idsOf(events)[0]);
    }
  });
}
