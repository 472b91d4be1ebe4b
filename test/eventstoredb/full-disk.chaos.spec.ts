import { afterEach, expect, it } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StoreUnavailable } from '#lib/event-store';
import { EventStoreDbEventStore } from '#lib/event-store-eventstoredb';
import { anEvent } from './sample-events.js';
import { StandInProcess } from './stand-in-process.js';

const KIB = 4096;
const data = JSON.stringify('x'.repeat(64 * 1024));

const running: StandInProcess[] = [];
afterEach(() => Promise.all(running.splice(0).map((server) => server.kill())));

it('says that the disk of the server is full, keeps what it acknowledged, and goes on with more space', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'redial-full-disk-'));
  const open = (server: StandInProcess) =>
    EventStoreDbEventStore.open({
      connectionString: server.connectionString,
      streamPrefix: 'redial_',
      attemptMs: 1_000,
      patienceMs: 2_000,
    });
  const acknowledged: string[] = [];
  const full = await StandInProcess.start(folder, KIB);
  running.push(full);
  const store = await open(full);
  const failure = await failureOf(async () => {
    while (acknowledged.length < KIB) {
      const event = anEvent(data);
      await store.append('redial_s', acknowledged.length === 0 ? 'no-stream' : acknowledged.length - 1, [
        event,
      ]);
      acknowledged.push(event.eventId);
    }
  });
  expect(failure).toBeInstanceOf(StoreUnavailable);
  const words =
    /EventStoreDB at 127\.0\.0\.1:\d+ .*its disk is full or does not work.*Free space on its disk/;
  expect(String(failure)).toMatch(words);
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
  await rm(folder, { recursive: true });
});

function failureOf(work: () => Promise<void>): Promise<unknown> {
  return work().then(
    () => undefined,
    (error: unknown) => error,
  );
}
