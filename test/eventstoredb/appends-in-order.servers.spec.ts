import { expect, it } from '@jest/globals';
import { type StreamAppend, StoreUnavailable, withPatience } from '#lib/event-store';
import { someEvents } from './sample-events.js';
import { standInSubject } from './stand-in-subject.js';

const STREAMS = ['session', 'run', 'child', 'owner'];
/** Of each append: far longer than one takes on a busy machine. */
const PATIENCE_MS = 5_000;

it('leaves the first appends of a list when the server goes silent then, and a repeat of the list completes it', async () => {
  await Promise.all(STREAMS.map((_, cut) => cutAfter(cut)));
});

async function cutAfter(cut: number): Promise<void> {
  const { store, standIn, cleanup } = await standInSubject();
  const appends = STREAMS.map((stream): StreamAppend => {
    return { stream, expected: 'no-stream', events: someEvents(2) };
  });
  const { misbehaviour } = standIn;
  let stored = 0;
  misbehaviour.onStored = () => {
    stored += 1;
    misbehaviour.silent = stored === cut;
  };
  misbehaviour.silent = cut === 0;
  const appending = withPatience(PATIENCE_MS, () => store.appendInOrder(appends));
  await expect(appending).rejects.toBeInstanceOf(StoreUnavailable);
  misbehaviour.onStored = undefined;
  misbehaviour.silent = false;
  for (const [index, { stream }] of appends.entries()) {
    expect(await store.readStream(stream)).toHaveLength(index < cut ? 2 : 0);
  }
  const results = await store.appendInOrder(appends);
  expect(results.map(({ revision }) => revision)).toEqual([1, 1, 1, 1]);
  expect(await store.readAll({ limit: 99 })).toHaveLength(8);
  await cleanup();
}
