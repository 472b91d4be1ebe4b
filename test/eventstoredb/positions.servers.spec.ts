import { expect, it } from '@jest/globals';
import { ForeignPosition, formatPosition, sequenceOf } from '#lib/event-store';
import { anEvent, someEvents } from './sample-events.js';
import { standInSubject } from './stand-in-subject.js';

it('0.2-E10 a position between two events is refused as no position of the log, whoever asks', async () => {
  const { store, cleanup } = await standInSubject();
  const first = await store.append('s', 'no-stream', [anEvent()]);
  await store.append('s', 0, someEvents(2));
  const between = formatPosition(store.logId, sequenceOf(store.logId, first.position) + 1n);
  for (const direction of ['forwards', 'backwards'] as const) {
    const reading = store.readAll({ from: between, direction, limit: 9 });
    await expect(reading).rejects.toBeInstanceOf(ForeignPosition);
  }
  const batches = store.subscribe(between, new AbortController().signal);
  await expect(batches[Symbol.asyncIterator]().next()).rejects.toBeInstanceOf(ForeignPosition);
  expect(await store.readAll({ from: first.position, limit: 9 })).toHaveLength(2);
  await cleanup();
});
