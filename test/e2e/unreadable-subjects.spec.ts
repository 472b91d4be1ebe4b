import { randomBytes, randomUUID } from 'node:crypto';
import { expect, it, jest } from '@jest/globals';
import { ERASED } from '#lib/event-store';
import { Erasing } from '#lib/subjects/core';
import { RedialServer } from '../support/redial-server.js';
import { reviewedRefunds } from '../support/reviewed-refunds.js';

const environment = { REDIAL_MASTER_KEY: randomBytes(32).toString('base64') };

it('a subject is erased of which a session has an event that cannot be read, and holds back no other', async () => {
  const server = await RedialServer.start({ environment });
  await server.post('/v1/machines', reviewedRefunds);
  const about = async (subject: string) =>
    (await server.post('/v1/sessions', { machineName: 'refunds', metaJson: { text: 'x' }, subject })).body
      .sessionId as string;
  const { store, streams, keys } = server.log;
  const event = { type: 'HumanOverrideAccepted', data: '[]', metadata: '{"keyId":"ann"}' };
  const unreadable = [event, { ...event, metadata: '{"keyId":"ann",' }];
  const appended = unreadable.map((one) => ({ eventId: randomUUID(), ...one }));
  await store.append(streams.of('session', await about('ann')), 'any', appended);
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

it('an erasure that was begun and whose own stream cannot be read holds back no other, and is warned of once', async () => {
  const server = await RedialServer.start({ environment });
  await server.post('/v1/machines', reviewedRefunds);
  const { store, streams } = server.log;
  const metadata = JSON.stringify({ occurredAt: new Date().toISOString(), commandId: randomUUID() });
  const begun = { type: 'SubjectErased', data: '{"subject":"ann","by":"operator","streams":0}', metadata };
  const events = [begun, { ...begun, data: '[]' }].map((event) => ({ eventId: randomUUID(), ...event }));
  await store.append(streams.of('subject', 'ann'), 'no-stream', events);
  const warned = jest.spyOn(server.app.get(Erasing)['parts'], 'warn');
  await server.post('/v1/sessions', { machineName: 'refunds', subject: 'bob' });
  for (const subject of ['bob', 'bob'])
    expect((await server.post(`/v1/subjects/${subject}/erase`)).status).toBe(200);
  expect(warned.mock.calls).toEqual([[expect.stringContaining('redial_subject-ann revision 1')]]);
  await server.stop();
});
