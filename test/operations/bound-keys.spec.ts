import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { toolCall, text } from '#lib/activities/testing';
import { EventLog } from '#lib/event-store';
import { PersonTokens } from '#lib/people';
import { HttpCaller } from '../chaos/http-caller.js';
import { RedialServer } from '../support/redial-server.js';

const circle = {
  machineName: 'circle',
  initialState: 'a',
  goalState: 'z',
  states: { a: { transitions: { on: 'b', end: 'z' } }, b: { transitions: { on: 'a' } }, z: {} },
};

let server: RedialServer;
let caller: HttpCaller;

beforeAll(async () => {
  const replies = [toolCall('charge', {}), text({ message: 'Done.' }), toolCall('charge', {})];
  server = await RedialServer.start({ script: replies });
  caller = new HttpCaller(server.url);
  await caller.post('/v1/machines', circle);
});
afterAll(() => server.stop());

async function sessionIn(state: 'a' | 'b'): Promise<string> {
  const { body } = await caller.post('/v1/sessions', { machineName: 'circle' });
  const path = `/v1/sessions/${String(body['sessionId'])}`;
  if (state === 'b') await caller.post(`${path}/transitions`, { transitionName: 'on', toState: 'b' });
  return path;
}

function head() {
  return server.app.get(EventLog).store.head();
}

it('0.2-X2 a keyed transition without a round that was refused executes in no later round', async () => {
  const session = await sessionIn('b');
  const end = { transitionName: 'end', toState: 'z' };
  const key = randomUUID();
  const refused = await caller.post(`${session}/transitions`, end, key);
  expect([refused.status, refused.position]).toEqual([422, await head()]);
  await caller.post(`${session}/transitions`, { transitionName: 'on', toState: 'a' });
  const before = await head();
  const again = await caller.post(`${session}/transitions`, end, key);
  expect([again.status, await head()]).toEqual([409, before]);
  expect((await caller.post(`${session}/transitions`, end)).status).toBe(200);
});

it('0.2-X2 a keyed arbitration without a round that was refused is stale in each later round', async () => {
  const session = await sessionIn('b');
  const decision = { specialistId: 'later', transitionName: 'end' };
  const key = randomUUID();
  expect((await caller.post(`${session}/arbitrations`, decision, key)).status).toBe(404);
  const later = { role: 'proposer', specialistId: 'later', machineName: 'circle', isHuman: true };
  await caller.post('/v1/specialists', later);
  await caller.post(`${session}/transitions`, { transitionName: 'on', toState: 'a' });
  const again = await caller.post(`${session}/arbitrations`, decision, key);
  expect(again.body).toMatchObject({ stale: true, executed: false });
  expect((await caller.get(session)).body).toMatchObject({ currentState: 'a' });
});

it('0.2-X2 an approval without an await names the call that it approves: its repeat approves no later one', async () => {
  const charge = {
    toolId: 'charge',
    description: 'Charges',
    parameters: { type: 'object' },
    execution: { webhookUrl: 'https://example.com/charge' },
    policy: { needsApproval: true },
  };
  await caller.post('/v1/tools', charge);
  const flows = [{ id: 'pay', title: 'Pay', reentrant: true, steps: [{ prompt: 'Pay', tools: ['charge'] }] }];
  await caller.post('/v1/agents', { agentName: 'payer', model: 'gpt-4o-mini', flows });
  const { body } = await caller.post('/v1/conversations', { agentName: 'payer' });
  const path = `/v1/conversations/${String(body['conversationId'])}`;
  const key = randomUUID();
  const approve = () =>
    caller.post(`${path}/signals/approval`, { payload: { approved: false, reason: 'no' } }, key);
  const say = async () => {
    await caller.post(`${path}/directives`, { goTo: 'Pay' });
    return caller.post(`${path}/messages`, { text: 'Pay' }, 'message');
  };
  const first = await say();
  const approved = await approve();
  expect(approved).toMatchObject({ status: 200, body: { turnId: first.body['turnId'] } });
  // The answer of a message whose turn waited stays, after the turn has ended.
  expect(await caller.post(`${path}/messages`, { text: 'Pay' }, 'message')).toEqual(first);
  await caller.post(`${path}/directives`, { goTo: 'Pay' });
  const second = (await caller.post(`${path}/messages`, { text: 'Pay' })).body;
  expect(second).toMatchObject({ status: 'waiting' });
  const before = await head();
  expect(await approve()).toEqual(approved);
  expect(await head()).toBe(before);
});

it('0.2-S6 one key for two people is refused, and the token of each follows from the person too', async () => {
  const key = randomUUID();
  const register = (personId: string) => caller.post('/v1/people', { personId, role: 'viewer' }, key);
  const ann = await register('ann');
  expect(await register('bob')).toMatchObject({ status: 422, body: { code: 'idempotency-key-reused' } });
  expect(await register('ann')).toMatchObject({ status: 201, body: ann.body });
  const secrets = ['ann', 'bob'].map((id) => server.app.get(PersonTokens).tokenFor(id, key).split('.')[1]);
  expect(secrets[0]).not.toBe(secrets[1]);
});
