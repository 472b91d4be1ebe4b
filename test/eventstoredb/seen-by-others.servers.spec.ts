import { expect, it } from '@jest/globals';
import { official } from './official-client.js';
import { anEvent } from './sample-events.js';
import { standInSubject } from './stand-in-subject.js';

it('shows others JSON events, with our ids when their tools look for them', async () => {
  const { store, standIn, cleanup } = await standInSubject();
  const metadata = '{"schemaVersion":1,"correlationId":"session-1","causationId":"command-1"}';
  const event = { ...anEvent('{"b":1,"a":[2]}'), metadata };
  await store.append('s', 'no-stream', [event]);
  const client = official.EventStoreDBClient.connectionString(standIn.connectionString());
  const seen = [];
  for await (const { event } of client.readStream('s')) seen.push(event);
  expect(seen).toMatchObject([
    {
      id: event.eventId,
      isJson: true,
      type: 'ThingHappened',
      data: { b: 1, a: [2] },
      metadata: {
        $correlationId: 'session-1',
        $causationId: 'command-1',
        schemaVersion: 1,
        correlationId: 'session-1',
        causationId: 'command-1',
      },
    },
  ]);
  expect(await store.readStream('s')).toMatchObject([event]);
  await client.dispose();
  await cleanup();
});
