import { randomUUID } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { askingFor } from '#lib/workflow/testing';
import { buying } from '../support/buying.js';
import { RedialServer } from '../support/redial-server.js';

interface Tasks {
  readonly items: readonly { readonly about: { readonly runId: string } }[];
}

it('tasks of a machine of which a session stands still are in no list, and hide no other', async () => {
  const server = await RedialServer.start({ options: { workflows: [askingFor({ type: 'boolean' })] } });
  await server.post('/v1/runs', { workflow: 'asking', input: {}, waitMs: 10_000 });
  const { items } = (await server.get('/v1/tasks')).body as Tasks;
  await server.post('/v1/machines', buying);
  const made = { sessionId: '' };
  for (let n = 0; n < 2; n++) {
    const { body } = await server.post('/v1/sessions', { machineName: 'buying' });
    made.sessionId = (body as typeof made).sessionId;
    await server.post(`/v1/sessions/${made.sessionId}/run`);
  }
  expect((await server.get('/v1/tasks')).body).toMatchObject({ items: [{}, {}, {}] });
  const { store, streams } = server.log;
  const event = { type: 'HumanOverrideAccepted', data: '[]', metadata: '{"schemaVersion":1}' };
  const stream = streams.of('session', made.sessionId);
  await store.append(stream, 'any', [{ eventId: randomUUID(), ...event }]);
  const { body: page } = await server.get(`/v1/tasks?minPosition=${await server.head()}`);
  expect(page).toEqual({ items, nextCursor: null, standsStill: 1 });
  await server.stop();
});

it('a task whose run has an event of a newer release is in no list, and hides no other', async () => {
  const server = await RedialServer.start({ options: { workflows: [askingFor({ type: 'boolean' })] } });
  for (let n = 0; n < 2; n++)
    await server.post('/v1/runs', { workflow: 'asking', input: {}, waitMs: 10_000 });
  const tasks = async () => (await server.get('/v1/tasks')).body as Tasks;
  const [unreadable, other] = (await tasks()).items;
  const { store, streams } = server.log;
  const metadata = { schemaVersion: 1, occurredAt: new Date().toISOString(), actor: 'redial' };
  const event = { type: 'OfTheFuture', data: '{}', metadata: JSON.stringify(metadata) };
  const stream = streams.of('asking', unreadable?.about.runId ?? '');
  await store.append(stream, 'any', [{ eventId: randomUUID(), ...event }]);
  expect(await tasks()).toEqual({ items: [other], nextCursor: null });
  await server.stop();
});
