import { expect, it } from '@jest/globals';
import { RevisionConflict } from '../../errors.js';
import { caughtUp, follow, idsOf, someEvents, wholeLog } from './sample-events.js';
import type { CurrentSubject } from './subject.js';

const BLOBS = ['blob-1', 'redial_blob-0a', 'blob-a-b'];
/** Names that are not of blobs: the part up to the first dash decides. */
const OTHERS = [
  'blob',
  'redial_blob',
  'machine-blob-1',
  'redial_machine-redial_blob-1',
  'blobs-1',
  'Blob-1',
  '-blob-1',
];

export function describeBlobs(subject: CurrentSubject): void {
  it('takes and gives the streams of blobs as any other', async () => {
    const { store } = subject();
    for (const stream of BLOBS) {
      const [first, second] = [someEvents(2), someEvents(1)];
      const appended = await store.append(stream, 'no-stream', first);
      expect(appended.revision).toBe(1);
      expect(await store.append(stream, 1, second)).toMatchObject({ revision: 2 });
      expect(await store.append(stream, 'no-stream', first)).toEqual(appended);
      await expect(store.append(stream, 'no-stream', second)).rejects.toBeInstanceOf(RevisionConflict);
      expect(idsOf(await store.readStream(stream))).toEqual(idsOf([...first, ...second]));
      expect(await store.readStream(stream, { direction: 'backwards', limit: 1 })).toMatchObject(second);
    }
  });

  it('leaves them, and no others, out of what it shows of the log', async () => {
    const { store } = subject();
    for (const [n, other] of OTHERS.entries()) {
      await store.append(BLOBS[n % BLOBS.length] ?? '', 'any', someEvents(3));
      await store.append(other, 'no-stream', someEvents(1));
    }
    const log = await wholeLog(store);
    expect(log.map(({ stream }) => stream)).toEqual(OTHERS);
    expect(await caughtUp(store)).toEqual(log);
    const direction = 'backwards';
    expect(await store.readAll({ direction, limit: 99 })).toEqual(log.toReversed());
    expect(await store.readAll({ limit: 2 })).toEqual(log.slice(0, 2));
    expect(await store.readAll({ limit: 2, ...(log[2] && { from: log[2].position }) })).toEqual(
      log.slice(3, 5),
    );
    expect(await store.readAll({ direction, limit: 2, ...(log[2] && { from: log[2].position }) })).toEqual([
      log[1],
      log[0],
    ]);
    expect(await caughtUp(store, log[3]?.position)).toEqual(log.slice(4));
  });

  it('has its head at the last event it shows, even when the log ends with blobs or holds nothing else', async () => {
    const { store } = subject();
    await store.append('blob-1', 'no-stream', someEvents(2));
    expect([await store.head(), await wholeLog(store), await caughtUp(store)]).toEqual([undefined, [], []]);
    const { position } = await store.append('s', 'no-stream', someEvents(1));
    await store.append('blob-2', 'no-stream', someEvents(300));
    expect(await store.head()).toBe(position);
    expect(await caughtUp(store, position)).toEqual([]);
  });

  it('leaves appended blobs out of a subscription, which continues after them', async () => {
    const { store } = subject();
    let late: Promise<unknown> | undefined;
    const append = async () => {
      for (const stream of ['blob-1', 's', 'blob-2', 't'])
        await store.append(stream, 'no-stream', someEvents(2));
    };
    const seen = await follow(store, undefined, (events, batch) => {
      if (batch.length === 0) late ??= append();
      return events.length === 4;
    });
    await late;
    expect(seen.map(({ stream }) => stream)).toEqual(['s', 's', 't', 't']);
  });
}
