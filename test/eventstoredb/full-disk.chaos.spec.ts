import { afterEach, expect, it } from '@jest/globals';
import { temporaryFolder } from '#lib/kernel/testing';
import { StoreUnavailable, withPatience } from '#lib/event-store';
import { EventStoreDbEventStore } from '#lib/event-store-eventstoredb';
import { anEvent, failureOf, untilStored } from './sample-events.js';
import { StandInProcess } from './stand-in-process.js';

const KIB = 4096;
const WORDS = /EventStoreDB at 127\.0\.0\.1:\d+ .*its disk is full or does not work.*Free space on its disk/;
const data = JSON.stringify('x'.repeat(64 * 1024));

const running: StandInProcess[] = [];
afterEach(() => Promise.all(running.splice(0).map((server) => server.kill())));

it('reports a full disk of the server, keeps acknowledged events, and continues with more space', async () => {
  const folder = temporaryFolder();
  const open = ({ connectionString }: StandInProcess) =>
    EventStoreDbEventStore.open({ connectionString, streamPrefix: 'redial_' });
  const acknowledged: string[] = [];
  const full = await StandInProcess.start(folder, KIB);
  running.push(full);
  const store = await open(full);
  const failure = await failureOf(async () => {
    while (acknowledged.length < KIB) {
      const event = anEvent(data);
      const expected = acknowledged.length === 0 ? 'no-stream' : acknowledged.length - 1;
      const append = () => withPatience(2_000, () => store.append('redial_s', expected, [event]));
      await untilStored(append, WORDS);
      acknowledged.push(event.eventId);
    }
  });
  expect(failure).toBeInstanceOf(StoreUnavailable);
  expect(String(failure)).toMatch(WORDS);
  await store.close();
  await full.kill();

  const roomy = await StandInProcess.start(folder);
  running.push(roomy);
  const again = await open(roomy);
  const stored = (await again.readStream('redial_s')).map(({ eventId }) => eventId);
  expect(stored.slice(0, acknowledged.length)).toEqual(acknowledged);
  expect(await again.append('redial_s', stored.length - 1, [anEvent()])).toMatchObject({
    revision: stored.length,
  });
  await again.close();
});
