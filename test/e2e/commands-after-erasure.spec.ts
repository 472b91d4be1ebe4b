import { randomBytes } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { approval } from '../support/approval.workflow.js';
import { clerk } from '../support/clerk.js';
import { RedialServer } from '../support/redial-server.js';

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
