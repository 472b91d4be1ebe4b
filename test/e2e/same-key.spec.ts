import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { text } from '#lib/activities/testing';
import { temporaryFolder } from '#lib/kernel/testing';
import { CommandWriter } from '#lib/operations/core';
import { clerk } from '../support/clerk.js';
import { RedialServer } from '../support/redial-server.js';

const ballot = {
  machineName: 'ballot',
  initialState: 'asked',
  goalState: 'closed',
  specialists: [
    { role: 'proposer', specialistId: 'ann', isHuman: true },
    { role: 'arbiter', specialistId: 'teller', strategyFnName: 'firstProposal' },
  ],
  states: {
    asked: { transitions: { approve: 'second' } },
    second: { transitions: { close: 'closed' } },
    closed: {},
  },
};

describe('the same key (X-S7)', () => {
  let server: RedialServer;
  let sessionId: string;

  beforeEach(async () => {
    server = await RedialServer.start();
    await server.post('/v1/machines', ballot);
    ({ sessionId } = (await server.post('/v1/sessions', { machineName: 'ballot' })).body as {
      sessionId: string;
    });
  });
  afterEach(() => server.stop());

  const propose = () =>
    server.post(`/v1/sessions/${sessionId}/proposals`, { specialistId: 'ann', transitionName: 'approve' });

  it.each<[string, object]>([
    ['arbitrations', {}],
    ['tick', {}],
    ['run', {}],
  ])(
    'gives the same answer of %s, though the session has moved since, however its path is spelled',
    async (name, body) => {
      const key = { 'Idempotency-Key': 'one' };
      const path = `/v1/sessions/${sessionId}/${name}`;
      const first = await server.post(path, body, key);
      expect(first.status).toBe(200);
      await propose();
      await server.post(`/v1/sessions/${sessionId}/transitions`, {
        transitionName: 'approve',
        toState: 'second',
      });
      const head = await server.head();
      for (const spelled of [path, `${path}/`, path.replace('/v1/sessions', '/V1/Sessions')]) {
        const again = await server.post(spelled, body, key);
        expect([again.status, again.body, again.headers['redial-position']]).toEqual([
          first.status,
          first.body,
          first.headers['redial-position'],
        ]);
      }
      expect(await server.head()).toBe(head);
      const other = await server.post(
        path,
        name === 'tick' ? { x: 1 } : { maxTicks: 2, reasoning: 'x' },
        key,
      );
      expect(other.status).toBeGreaterThanOrEqual(400);
    },
  );
});

it('the same key gives the turn of a message again in a process that can no longer call the model of its agent', async () => {
  const place = { dataDir: temporaryFolder() };
  const script = [text({}), text({ intent: 'x', scores: { booking: 90 } }), text({ message: 'Your name?' })];
  let server = await RedialServer.start({ place, script });
  await server.post('/v1/agents', clerk);
  const { body } = await server.post('/v1/conversations', { agentName: 'clerk' });
  const say = (words: string) =>
    server.post(
      `/v1/conversations/${body.conversationId}/messages`,
      { text: words },
      { 'Idempotency-Key': 'one' },
    );
  const first = await say('Hello');
  expect([first.status, first.body]).toMatchObject([200, { message: 'Your name?' }]);
  await server.stop();
  server = await RedialServer.start({ place, environment: { OPENAI_API_KEY: undefined } });
  const head = await server.head();
  const again = await say('Hello');
  expect([again.status, again.body]).toEqual([200, first.body]);
  expect((await say('Bye')).body).toMatchObject({ code: 'idempotency-key-reused' });
  expect(await server.head()).toBe(head);
  await server.stop();
});

it('the same key with another definition registers no specialist, where the first call was cut off', async () => {
  const server = await RedialServer.start();
  const writer = server.app.get(CommandWriter, { strict: false });
  const define = (...ids: readonly string[]) => {
    const specialists = ids.map((specialistId) => ({ role: 'proposer', specialistId, isHuman: true }));
    return server.post('/v1/machines', { ...ballot, specialists }, { 'Idempotency-Key': 'one' });
  };
  const whole = writer.send.bind(writer);
  let sent = 0;
  const cutOff = (...call: Parameters<typeof whole>) =>
    ++sent === 1 ? whole(...call) : Promise.reject(new Error('the process dies'));
  Object.assign(writer, { send: cutOff });
  expect((await define('ann', 'bob')).status).toBe(500);
  Reflect.deleteProperty(writer, 'send');
  const head = await server.head();
  expect((await define('cy', 'ann')).body).toMatchObject({ code: 'idempotency-key-reused' });
  expect(await server.head()).toBe(head);
  expect((await define('ann', 'bob')).status).toBe(201);
  await server.stop();
});
