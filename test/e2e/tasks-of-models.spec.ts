import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { completion, type ScriptedReply, text, toolCall } from '#lib/activities/testing';
import type { JsonObject } from '#lib/kernel';
import { RedialServer } from '../support/redial-server.js';
import { clerk } from '../support/clerk.js';
import { untilEvent } from '../support/until-event.js';

const parameters = { type: 'object', properties: { day: { type: 'string' } }, required: ['day'] };
const book = { toolId: 'book', description: 'Books', parameters, execution: { fnName: 'book' } };
const asked = (name: string, given: object) => {
  const tool_calls = [{ id: 'p1', type: 'function', function: { name, arguments: JSON.stringify(given) } }];
  return completion({ content: null, tool_calls }, 'tool_calls', { usage: {} });
};
const fenced = (code: string) => text(`\`\`\`tsx\n${code}\n\`\`\``);

interface Task extends JsonObject {
  readonly taskId: string;
  readonly about: JsonObject & { readonly runId?: string };
}

describe('tasks of what models ask for', () => {
  let server: RedialServer;
  const replies: ScriptedReply[] = [];

  beforeAll(async () => {
    server = await RedialServer.start({
      script: () => replies.shift() ?? text('nothing is left to say'),
      options: { functions: { book: () => ({ booked: true }) } },
    });
    await server.post('/v1/people', { personId: 'ann', role: 'reviewer' });
    await server.post('/v1/tools', { ...book, policy: { needsApproval: { people: ['ann'] } } });
  });
  afterAll(() => server.stop());

  async function taskOf(filter: string): Promise<Task> {
    const { body } = await server.get(`/v1/tasks?${filter}`);
    const [task, ...others] = (body as { items: Task[] }).items;
    expect(others).toEqual([]);
    if (!task) throw new Error(`no task of ${filter}`);
    return task;
  }
  const answer = ({ taskId }: Task, body: object) => server.post(`/v1/tasks/${taskId}/answer`, body);
  const approve = { choice: 'approve', actAs: 'ann' };

  it('a turn of a conversation: the answer has the turn, and its signal obeys the same rules', async () => {
    const agent = {
      ...clerk,
      agentName: 'booker',
      schema: { type: 'object' },
      flows: [{ title: 'Booking', steps: [{ id: 'do', prompt: 'Book', tools: ['book'] }] }],
    };
    expect((await server.post('/v1/agents', agent)).status).toBe(201);
    const { body } = await server.post('/v1/conversations', { agentName: 'booker' });
    const { conversationId } = body as { conversationId: string };
    const routed = text(JSON.stringify({ intent: 'to book', scores: { booking: 90 } }));
    replies.push(routed, toolCall('book', { day: 'Friday' }), text(JSON.stringify({ message: 'Booked.' })));
    const path = `/v1/conversations/${conversationId}`;
    const said = await server.post(`${path}/messages`, { text: 'Friday' });
    expect([said.status, said.body]).toMatchObject([202, { status: 'waiting' }]);
    const { turnId } = said.body as { turnId: string };
    const task = await taskOf(`conversationId=${conversationId}`);
    expect(task).toMatchObject({
      kind: 'approval',
      about: { conversationId, turnId, runId: turnId, workflow: 'turn', toolId: 'book' },
      arguments: { day: 'Friday' },
      candidates: { people: ['ann'] },
    });
    const unnamed = await server.post(`${path}/signals/approval`, { payload: { approved: true } });
    expect([unnamed.status, unnamed.body.code]).toEqual([403, 'not-a-person']);
    const { status, body: answered } = await answer(task, approve);
    expect(status).toBe(200);
    expect(answered).toMatchObject({
      task: { status: 'answered', answer: { by: 'ann' } },
      turn: { turnId, message: 'Booked.', toolCalls: [{ toolId: 'book', status: 'completed' }] },
    });
    expect((await server.post(`${path}/replay`)).body).toMatchObject({ identical: true });
  });

  it('a proposing workflow: the session needs people while its run waits, also as it was then, and the task names both', async () => {
    const planner = {
      name: 'planner',
      input: { systemPrompt: 'A clerk.', userPrompt: 'Book', model: 'gpt-4o-mini', tools: ['book'] },
    };
    await server.post('/v1/machines', {
      machineName: 'orders',
      initialState: 'open',
      goalState: 'closed',
      specialists: [{ role: 'proposer', specialistId: 'clerk', workflow: planner }],
      states: { open: { transitions: { refuse: 'closed' } }, closed: {} },
    });
    const { body } = await server.post('/v1/sessions', { machineName: 'orders' });
    const { sessionId } = body as { sessionId: string };
    replies.push(asked('book', { day: 'Monday' }), asked('refuse', {}));
    const proposed = await server.post(`/v1/sessions/${sessionId}/proposals`, { specialistId: 'clerk' });
    expect(proposed.body.code).toBe('waits-for-person');
    const task = await taskOf(`sessionId=${sessionId}`);
    expect(task).toMatchObject({
      kind: 'approval',
      about: { sessionId, workflow: 'planner', toolId: 'book' },
    });
    const listed = async (status: string) => {
      const { body: page } = await server.get(`/v1/sessions?status=${status}&machineName=orders`);
      return (page as { items: { sessionId: string; status: string }[] }).items;
    };
    const { body: waiting } = await server.get(`/v1/sessions/${sessionId}`);
    expect(waiting).toMatchObject({ status: 'needs_human' });
    const { body: atHead } = await server.get(`/v1/sessions/${sessionId}?at=2999-01-01T00:00:00Z`);
    expect(atHead).toEqual(waiting);
    expect(await listed('needs_human')).toMatchObject([{ sessionId, status: 'needs_human' }]);
    expect(await listed('open')).toEqual([]);
    const { body: answered } = await answer(task, approve);
    const { runId } = task.about;
    expect(answered).toMatchObject({ run: { runId, workflow: 'planner' } });
    expect((await server.get(`/v1/sessions/${sessionId}`)).body).toMatchObject({ status: 'open' });
    await server.get(`/v1/runs/${runId}?waitMs=10000`);
  });

  it('a chat of code: each message that it waits for is a task', async () => {
    const hello = fenced("yield <Message>Hello</Message>;\nreturn { action: 'listen' };");
    replies.push(hello);
    const input = { instructions: 'Talk.', model: 'gpt-4o-mini', tools: [], chat: true };
    const { body } = await server.post('/v1/runs', { workflow: 'code', input, waitMs: 30_000 });
    const { runId } = body as { runId: string };
    const task = await taskOf(`runId=${runId}`);
    expect(task).toMatchObject({ kind: 'answer', about: { signal: 'message', awaitId: 'message-1' } });
    const wrong = await answer(task, { choice: 'answer', payload: { words: 'Hi' } });
    expect([wrong.status, wrong.body.code]).toEqual([422, 'invalid-arguments']);
    expect((await answer(task, { choice: 'answer', payload: { text: 'Hi' } })).status).toBe(200);
    await untilEvent(server.log, ({ type, data }) => {
      return type === 'SignalAwaited' && (data as { stepId: string }).stepId === 'message-2';
    });
    expect(await taskOf(`runId=${runId}`)).toMatchObject({ about: { awaitId: 'message-2' } });
  });
});
