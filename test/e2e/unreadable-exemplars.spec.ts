import { randomUUID } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { buying } from '../support/buying.js';
import { RedialServer } from '../support/redial-server.js';

it('an exemplar whose session has an event that cannot be read has no context, and hides no other; a command of the session says which event', async () => {
  const server = await RedialServer.start();
  const { body: defined } = await server.post('/v1/machines', buying);
  const { ann } = (defined as { actorTokens: { ann: string } }).actorTokens;
  const decided = async () => {
    const { body } = await server.post('/v1/sessions', { machineName: 'buying' });
    const choice = { specialistId: 'ann', transitionName: 'pay' };
    const path = `/v1/sessions/${body.sessionId}/arbitrations`;
    expect((await server.post(path, choice, { 'redial-actor-token': ann })).status).toBe(200);
    return body.sessionId as string;
  };
  const exemplars = async () => (await server.get('/v1/machines/buying/exemplars')).body.items as object[];
  const [unreadable] = [await decided(), await decided()];
  const [other, { context: _, ...row }] = (await exemplars()) as [object, { context: object }];
  expect([other, row]).toMatchObject([{ context: {} }, { sessionId: unreadable }]);
  const event = { type: 'HumanOverrideAccepted', data: '[]', metadata: '{"schemaVersion":1}' };
  const { store, streams } = server.log;
  await store.append(streams.of('session', unreadable), 'any', [{ eventId: randomUUID(), ...event }]);
  expect(await exemplars()).toEqual([other, row]);
  const itself = await server.post(`/v1/sessions/${unreadable}/run`);
  expect(itself).toMatchObject({
    status: 500,
    body: {
      code: 'unreadable-event',
      detail: expect.stringMatching(/^\[UndecodableEvent\] event HumanOverrideAccepted at .* cannot be read/),
    },
  });
  await server.stop();
});
