import { randomBytes, randomUUID } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { ERASED } from '#lib/event-store';
import { RedialServer } from '../support/redial-server.js';
import { reviewedRefunds } from '../support/reviewed-refunds.js';

it('a subject is erased of which a session has an event that cannot be read, and holds back no other', async () => {
  const environment = { REDIAL_MASTER_KEY: randomBytes(32).toString('base64') };
  const server = await RedialServer.start({ environment });
  await server.post('/v1/machines', reviewedRefunds);
  const about = async (subject: string) =>
    (await server.post('/v1/sessions', { machineName: 'refunds', metaJson: { text: 'x' }, subject })).body
      .sessionId as string;
  const { store, streams, keys } = server.log;
  const event = { type: 'HumanOverrideAccepted', data: '[]', metadata: '{"keyId":"ann"}' };
  await store.append(streams.of('session', await about('ann')), 'any', [{ eventId: randomUUID(), ...event }]);
  const whole = await about('ann');
  await about('bob');
  const [ann, bob] = await Promise.all(
    ['ann', 'bob'].map((subject) => server.post(`/v1/subjects/${subject}/erase`)),
  );
  expect([ann, bob]).toMatchObject([{ status: 200 }, { status: 200 }]);
  for (const subject of ['ann', 'bob']) expect(await keys.renewed(subject)).toBe(ERASED);
  expect((await server.get(`/v1/sessions/${whole}`)).body).toMatchObject({ erased: true, status: 'closed' });
  await server.stop();
});
