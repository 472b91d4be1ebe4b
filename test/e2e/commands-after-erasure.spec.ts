import { randomBytes } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { text } from '#lib/activities/testing';
import { approval } from '../support/approval.workflow.js';
import { clerk } from '../support/clerk.js';
import { RedialServer } from '../support/redial-server.js';

const machine = {
  machineName: 'orders',
  initialState: 'asked',
  goalState: 'paid',
  states: { asked: { transitions: { pay: 'paid' } }, paid: {} },
  specialists: [
    {
      role: 'proposer',
      specialistId: 'writer',
      modelId: 'gpt-4o-mini[tools=no]',
      contextTemplate: 'An order',
    },
    { role: 'arbiter', specialistId: 'judge', strategyFnName: 'alignmentMargin' },
  ],
};

it('every command about a subject that was erased is refused with 409 `erased`', async () => {
  const environment = { REDIAL_MASTER_KEY: randomBytes(32).toString('base64') };
  const server = await RedialServer.start({ environment, options: { workflows: [approval] } });
  const subject = 'customer-42';
  await server.post('/v1/people', { personId: 'ann', role: 'reviewer' });
  await server.post('/v1/agents', clerk);
  const talk = await server.post('/v1/conversations', { agentName: 'clerk', subject });
  await server.post('/v1/runs', { workflow: 'approval', input: { item: 'x' }, subject, waitMs: 5_000 });
  const [waiting] = (await server.get('/v1/tasks')).body.items as { taskId: string }[];
  const conversation = `/v1/conversations/${talk.body.conversationId}`;
  const task = `/v1/tasks/${waiting?.taskId}`;
  expect((await server.post(`/v1/subjects/${subject}/erase`)).status).toBe(200);
  const dueAt = new Date(Date.now() + 3_600_000).toISOString();
  const commands: [string, object][] = [
    [`${conversation}/messages`, { text: 'Hello' }],
    [`${conversation}/directives`, { reply: 'Hello' }],
    [`${conversation}/signals/approval`, { payload: { approved: true } }],
    [`${conversation}/cancel`, {}],
    [`${task}/claim`, { actAs: 'ann' }],
    [`${task}/release`, {}],
    [`${task}/assign`, { personId: 'ann' }],
    [`${task}/extend`, { dueAt }],
    [`${task}/comments`, { text: 'Hello' }],
    [`${task}/answer`, { choice: 'approve', actAs: 'ann' }],
  ];
  for (const [path, body] of commands)
    expect([path, (await server.post(path, body)).body]).toMatchObject([
      path,
      { status: 409, code: 'erased' },
    ]);
  await server.stop();
});

it('a repeat under a key is refused with 409 `erased`, and with no other reason', async () => {
  const environment = { REDIAL_MASTER_KEY: randomBytes(32).toString('base64') };
  const script = () =>
    text({ message: 'Hello.', transitionName: 'pay', toState: 'paid', reasoning: 'Fine.' });
  const server = await RedialServer.start({ environment, script });
  const subject = 'customer-42';
  const sent = async (path: string, body: object, key = path) => {
    const answer = await server.post(path, body, { 'Idempotency-Key': key });
    return { status: answer.status, body: answer.body as { [member: string]: unknown } };
  };
  await server.post('/v1/agents', clerk);
  await server.post('/v1/machines', machine);
  const { body: session } = await sent('/v1/sessions', { machineName: 'orders', subject });
  const { body: talk } = await sent('/v1/conversations', { agentName: 'clerk', subject });
  const said = `/v1/conversations/${String(talk['conversationId'])}`;
  const { body: turn } = await sent(`${said}/messages`, { text: 'Hello' });
  const [callId] = turn['llmCalls'] as string[];
  const of = `/v1/sessions/${String(session['sessionId'])}`;
  const commands: [string, object][] = [
    [`${of}/forks`, { atRevision: 0 }],
    [`${of}/proposals`, { specialistId: 'writer' }],
    [`${of}/arbitrations`, {}],
    [`${said}/messages`, { text: 'Hello' }],
    [`${said}/forks`, { atTurn: turn['turnId'] }],
    [`/v1/llm-calls/${callId}/tries`, {}],
  ];
  for (const [path, body] of commands)
    expect([path, (await sent(path, body)).status < 300]).toEqual([path, true]);
  expect((await server.post(`/v1/subjects/${subject}/erase`)).status).toBe(200);
  for (const [path, body] of commands)
    expect([path, (await sent(path, body)).body]).toMatchObject([path, { status: 409, code: 'erased' }]);
  await server.stop();
});
