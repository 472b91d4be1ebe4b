import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it, jest } from '@jest/globals';
import { toolCall } from '#lib/activities/testing';
import { EventLog } from '#lib/event-store';
import { Runs } from '#lib/runs/runs';
import type { Workflow } from '#lib/workflow';
import { HttpCaller } from '../chaos/http-caller.js';
import { RedialServer } from '../support/redial-server.js';

const schema = { type: 'object', properties: { approved: { type: 'boolean' } }, required: ['approved'] };
const purchase: Workflow<boolean> = {
  name: 'purchase',
  versions: {
    1: {
      input: {},
      initialState: () => false,
      evolve: (isAnswered, { type }) => isAnswered || type === 'SignalReceived',
      next: (isAnswered) =>
        isAnswered
          ? [{ do: 'end', result: null }]
          : [{ do: 'await', id: 'approval', signal: 'approval', schema }],
    },
  },
};
const charge = {
  toolId: 'charge',
  description: 'Charges',
  parameters: { type: 'object' },
  execution: { webhookUrl: 'https://example.com/charge' },
  policy: { needsApproval: true },
};
const flows = [{ id: 'pay', title: 'Pay', reentrant: true, steps: [{ prompt: 'Pay', tools: ['charge'] }] }];
const denied = { payload: { approved: false, reason: 'no' } };
const reused = { status: 422, body: { code: 'idempotency-key-reused' } };

let server: RedialServer;
let caller: HttpCaller;
let conversation: string;
let key: string;

beforeAll(async () => {
  const script = () => toolCall('charge', {});
  server = await RedialServer.start({ script, options: { workflows: [purchase] } });
  caller = new HttpCaller(server.url);
  await caller.post('/v1/tools', charge);
  await caller.post('/v1/agents', { agentName: 'payer', model: 'gpt-4o-mini', flows });
});
afterAll(() => server.stop());
beforeEach(async () => {
  key = randomUUID();
  const { body } = await caller.post('/v1/conversations', { agentName: 'payer' });
  conversation = `/v1/conversations/${String(body['conversationId'])}`;
});

async function waitingTurn() {
  await caller.post(`${conversation}/directives`, { goTo: 'Pay' });
  const { body } = await caller.post(`${conversation}/messages`, { text: 'Pay' });
  expect(body).toMatchObject({ status: 'waiting' });
  return body;
}

function answer(body: object) {
  return caller.post(`${conversation}/signals/approval`, { ...body }, key);
}

function head() {
  return server.app.get(EventLog).store.head();
}

it('0.2-X2 a keyed approval whose await opens after the look for it answers no later turn', async () => {
  const { turnId } = await waitingTurn();
  const awaited = jest.spyOn(Runs.prototype, 'awaited').mockResolvedValueOnce(undefined);
  const first = await answer(denied);
  awaited.mockRestore();
  expect(first.body).toMatchObject({ turnId });
  await caller.post(`${conversation}/cancel`, {});
  await waitingTurn();
  const before = await head();
  expect((await answer(denied)).body).toMatchObject({ turnId });
  expect(await head()).toBe(before);
});

it('0.2-X2 a keyed approval that was refused may not name another await than the one it reached', async () => {
  const { turnId } = await waitingTurn();
  expect((await answer({ payload: {} })).status).toBe(422);
  const before = await head();
  expect(await answer({ ...denied, awaitId: 'other' })).toMatchObject(reused);
  expect(await head()).toBe(before);
  expect((await answer(denied)).body).toMatchObject({ turnId });
});

it('0.2-X2 a keyed signal to a run that was refused may not name another await than the one it reached', async () => {
  const started = await caller.post('/v1/runs', { workflow: 'purchase', input: {}, waitMs: 5_000 });
  const signal = (body: object) =>
    caller.post(`/v1/runs/${String(started.body['runId'])}/signals/approval`, { ...body }, key);
  expect((await signal({ payload: {} })).status).toBe(422);
  const before = await head();
  expect(await signal({ ...denied, awaitId: 'other' })).toMatchObject(reused);
  expect(await head()).toBe(before);
  expect((await signal({ ...denied, awaitId: 'approval' })).status).toBe(200);
});
