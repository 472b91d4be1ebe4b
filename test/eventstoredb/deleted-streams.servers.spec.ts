import { expect, it } from '@jest/globals';
import { official } from './official-client.js';
import { anEvent, someEvents } from './sample-events.js';
import { standInSubject } from './stand-in-subject.js';

it('0.2-E10 acknowledges what the server has stored in a stream that was soft-deleted, whose reads say so', async () => {
  const { store, standIn, cleanup } = await standInSubject();
  const events = someEvents(2);
  await store.append('s', 'no-stream', events);
  const client = official.EventStoreDBClient.connectionString(standIn.connectionString());
  await client.deleteStream('s', { expectedRevision: 'any' });
  // The repeat of what was hidden since has no position that it could answer.
  await expect(store.append('s', 'no-stream', events)).rejects.toThrow(
    /^\[StreamTruncated\] .*the stream was deleted there/,
  );
  const stored = await store.append('s', 'no-stream', [anEvent()]);
  expect(stored).toMatchObject({ revision: 2 });
  expect((await store.readAll({ limit: 9 })).at(-1)).toMatchObject(stored);
  await expect(store.readStream('s')).rejects.toThrow(/^\[StreamTruncated\] .*it has \$tb 2/);
  await client.dispose();
  await cleanup();
});

it('says that a stream was deleted also where it was likely not to be there, and gives one that is there', async () => {
  const { store, standIn, cleanup } = await standInSubject();
  const isLikelyNew = true;
  expect(await store.readStream('s', { isLikelyNew })).toEqual([]);
  await store.append('s', 'no-stream', someEvents(2));
  expect(await store.readStream('s', { isLikelyNew })).toHaveLength(2);
  const client = official.EventStoreDBClient.connectionString(standIn.connectionString());
  await client.deleteStream('s', { expectedRevision: 'any' });
  await expect(store.readStream('s', { isLikelyNew })).rejects.toThrow(/^\[StreamTruncated\] /);
  await client.dispose();
  await cleanup();
});
