import { randomUUID } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { temporaryFolder } from '#lib/kernel/testing';
import { RedialServer } from '../support/redial-server.js';

const EVENTS = 20_000;

it('a stop ends the sealing of a large log after a whole seal, and the next process goes on with it', async () => {
  const place = { dataDir: temporaryFolder() };
  let server = await RedialServer.start({ place });
  const stream = server.log.streams.of('run_of_another', randomUUID());
  const event = { type: 'ThingHappened', data: '{}', metadata: '{"schemaVersion":1}' };
  for (let n = 0; n < EVENTS; n += 1_000) {
    const events = Array.from({ length: 1_000 }, () => ({ eventId: randomUUID(), ...event }));
    await server.log.store.append(stream, 'any', events);
  }
  const asked = server.post('/v1/seals');
  const seals = server.log.store.subscribe(await server.log.store.head(), AbortSignal.timeout(60_000));
  for await (const batch of seals) if (batch.some(({ type }) => type === 'LogSealed')) break;
  await server.stop();
  expect(await asked).toMatchObject({ status: 503, body: { code: 'server-stopping' } });
  server = await RedialServer.start({ place });
  const { body: before } = await server.get('/v1/seals/latest');
  expect(before.events).toBeLessThan(EVENTS);
  const { body: after } = await server.post('/v1/seals');
  expect(after.events).toBe(EVENTS);
  await server.stop();
});
