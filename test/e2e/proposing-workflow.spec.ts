import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { firstExit } from '../../examples/first-exit.workflow.js';
import { completion, type ScriptedReply, text } from '#lib/activities/testing';
import { RedialServer } from '../support/redial-server.js';

const usage = { prompt_tokens: 40, completion_tokens: 5 };
const calls = (name: string, given: object, content: string | null = null) => {
  const tool_calls = [{ id: 'p1', type: 'function', function: { name, arguments: JSON.stringify(given) } }];
  return completion({ content, tool_calls }, 'tool_calls', { usage });
};

const orders = (machineName: string, workflow: object) => ({
  machineName,
  initialState: 'open',
  goalState: 'closed',
  specialists: [{ role: 'proposer', specialistId: 'clerk', workflow }],
  states: {
    open: {
      transitions: {
        refund: {
          target: 'closed',
          description: 'Pay the money back',
          parameters: { type: 'object', properties: { amount: { type: 'number' } }, required: ['amount'] },
          onInvalidArguments: 'reject',
        },
        refuse: 'closed',
      },
    },
    closed: {},
  },
});

const planner = {
  name: 'planner',
  input: {
    systemPrompt: 'You are a clerk.',
    userPrompt: 'Order {{metaJson.order}}',
    model: 'gpt-4o-mini',
    tools: ['find_order'],
    maxRounds: 3,
  },
};

/** Its tool needs the approval of a person. */
const asking = { ...planner, input: { ...planner.input, tools: ['ask_order'] } };

const findOrder = {
  toolId: 'find_order',
  description: 'Finds an order',
  parameters: { type: 'object', properties: { order: { type: 'integer' } } },
  execution: { fnName: 'find_order' },
};

describe('a proposer that is a workflow', () => {
  let server: RedialServer;
  /** Each test has a machine of its own. */
  let machineName: string;

  beforeAll(async () => {
    const functions = { find_order: () => ({ price: 12 }) };
    server = await RedialServer.start({ options: { functions, workflows: [firstExit] } });
    await server.post('/v1/tools', findOrder);
    await server.post('/v1/tools', { ...findOrder, toolId: 'ask_order', policy: { needsApproval: true } });
  });
  afterAll(() => server.stop());

  beforeEach(() => {
    machineName = `orders-${randomUUID()}`;
  });

  const script = (...replies: ScriptedReply[]) => server.llm.enqueue(...replies);
  async function session(workflow: object): Promise<string> {
    const defined = await server.post('/v1/machines', orders(machineName, workflow));
    expect([defined.status, defined.body.warnings]).toEqual([201, []]);
    const { body } = await server.post('/v1/sessions', { machineName, metaJson: { order: 7 } });
    return String(body.sessionId);
  }
  const propose = (sessionId: string) =>
    server.post(`/v1/sessions/${sessionId}/proposals`, { specialistId: 'clerk' });
  const replay = async (sessionId: string) =>
    (await server.post(`/v1/sessions/${sessionId}/replay`)).body as object;

  it('proposes the exit of an application of ten lines, as a run whose parent is the solicitation', async () => {
    const sessionId = await session({ name: 'first_exit', input: { note: 'Order {{metaJson.order}}' } });
    // The first exit needs an amount, which this workflow does not give.
    expect((await propose(sessionId)).body).toMatchObject({ status: 502, kind: 'invalid-arguments' });
    const plain = orders(machineName, { name: 'first_exit', input: { note: 'Order {{metaJson.order}}' } });
    plain.states.open.transitions = { refuse: 'closed' } as never;
    await server.post('/v1/machines', plain);
    const { body: other } = await server.post('/v1/sessions', {
      machineName,
      metaJson: { order: 7 },
    });
    const { status, body } = await propose(String(other.sessionId));
    expect([status, body]).toMatchObject([
      201,
      { transitionName: 'refuse', toState: 'closed', reasoning: 'Order 7', status: 'open' },
    ]);
    const { body: runs } = await server.get('/v1/runs?workflow=first_exit');
    expect(runs.items).toMatchObject([
      { status: 'completed', parent: body.solicitationId },
      { status: 'completed' },
    ]);
    expect(await replay(String(other.sessionId))).toMatchObject({ identical: true, open: 0 });
  });

  it('is not evaluated: its tools would act again', async () => {
    const machine = orders(machineName, planner);
    const specialists = machine.specialists.map((one) => ({ ...one, specialistId: 'evaluated' }));
    expect((await server.post('/v1/machines', { ...machine, specialists })).status).toBe(201);
    const head = await server.head();
    const path = '/v1/specialists/evaluated/evaluations';
    expect(await server.post(path, { against: 'decisions' })).toMatchObject({
      status: 422,
      body: { code: 'wrong-specialist', detail: expect.stringContaining('would act again') },
    });
    expect(await server.head()).toBe(head);
    expect((await server.post(path, { against: 'record' })).status).toBe(200);
  });

  it('is a planner that looks something up and takes an exit with arguments that fit', async () => {
    script(
      calls('find_order', { order: 7 }),
      calls('refund', { amount: 'all' }),
      calls('refund', { amount: 12 }, 'It was late.'),
    );
    const sessionId = await session(planner);
    const { status, body } = await propose(sessionId);
    expect([status, body]).toMatchObject([
      201,
      {
        transitionName: 'refund',
        metaJson: { amount: 12 },
        reasoning: 'It was late.',
        numInputTokens: 120,
        numOutputTokens: 15,
      },
    ]);
    expect(server.llm.requests.at(-3)?.body).toMatchObject({
      messages: [{ content: 'You are a clerk.' }, { content: 'Order 7' }],
      tools: [
        { function: { name: 'find_order' } },
        { function: { name: 'refund', description: 'Pay the money back' } },
        { function: { name: 'refuse', description: 'refuse' } },
      ],
    });
    const { body: asked } = await server.get(`/v1/sessions/${sessionId}/llm-calls`);
    const about = { sessionId, specialistId: 'clerk', solicitationId: body.solicitationId };
    expect(asked.items).toMatchObject([1, 2, 3].map((round) => ({ workflow: 'planner', round, ...about })));
    expect(await replay(sessionId)).toMatchObject({ identical: true, open: 0 });
  });

  it('is code that looks something up and exits by a transition, with arguments that fit and its plan as reasoning', async () => {
    const found = '// It was late.\nconst { price } = await find_order({ order: 7 });';
    const program = (value: string) => text(`\`\`\`ts\n${found}\nreturn ${value};\n\`\`\``);
    script(
      program('{ action: "refund", amount: String(price) }'),
      program('{ action: "refund", amount: price }'),
    );
    const { systemPrompt: _, userPrompt: instructions, maxRounds: loop, ...input } = planner.input;
    const sessionId = await session({ name: 'code', input: { ...input, instructions, loop } });
    const { status, body } = await propose(sessionId);
    expect([status, body]).toMatchObject([
      201,
      { transitionName: 'refund', metaJson: { amount: 12 }, reasoning: 'It was late.' },
    ]);
    expect(await replay(sessionId)).toMatchObject({ identical: true, open: 0 });
  });

  it('gives no proposal when it ends without an exit, by the words of every other source', async () => {
    script(text('I do not know.'));
    const { status, body } = await propose(await session(planner));
    expect([status, body]).toMatchObject([
      502,
      {
        kind: 'invalid-choice',
        detail: expect.stringContaining('without one of its exits (assistant-stop)'),
      },
    ]);
  });

  it('keeps nobody waiting while a person is asked, and proposes once the person has answered', async () => {
    script(calls('ask_order', { order: 7 }), calls('refuse', {}));
    const sessionId = await session(asking);
    const key = { 'idempotency-key': 'once' };
    const asked = await server.post(`/v1/sessions/${sessionId}/proposals`, { specialistId: 'clerk' }, key);
    expect([asked.status, asked.body.code]).toEqual([409, 'waits-for-person']);
    expect(asked.headers['redial-position']).toBeDefined();
    const ticked = await server.post(`/v1/sessions/${sessionId}/tick`);
    expect(ticked.body).toMatchObject({
      status: 'needs_human',
      reasoning: expect.stringContaining('waits for the signal approval'),
    });
    const { body: inbox } = await server.get('/v1/inbox');
    const items = inbox.items as { runId: string; prompt: { arguments: { order: number } } }[];
    const [item, ...others] = items.filter(({ prompt }) => prompt.arguments.order === 7);
    expect([item, others]).toMatchObject([{ kind: 'approval', prompt: { toolId: 'ask_order' } }, []]);
    const { runId = '' } = item ?? {};
    await server.post(`/v1/runs/${runId}/signals/approval`, { payload: { approved: true } });
    await server.get(`/v1/runs/${runId}?waitMs=10000`);
    const proposed = await server.post(`/v1/sessions/${sessionId}/proposals`, { specialistId: 'clerk' }, key);
    expect([proposed.status, proposed.body]).toMatchObject([201, { transitionName: 'refuse' }]);
    expect(await replay(sessionId)).toMatchObject({ identical: true, open: 0 });
  });

  it('says the same of a tick that asked and waits, under the same key', async () => {
    script(calls('ask_order', { order: 8 }));
    const sessionId = await session(asking);
    const tick = () => server.post(`/v1/sessions/${sessionId}/tick`, {}, { 'idempotency-key': 'step' });
    const first = await tick();
    expect(first.body).toMatchObject({ status: 'solicited', specialistId: 'clerk' });
    expect((await tick()).body).toEqual(first.body);
  });

  it.each<[string, object, string]>([
    ['a workflow that is not there', { name: 'none' }, 'workflow "none" is not registered'],
    ['one of the engine', { name: 'solicitation' }, 'workflow "solicitation" is not registered'],
    ['input that does not fit', { name: 'planner', input: {} }, 'is missing: '],
    ['exits of its own', { name: 'planner', input: { ...planner.input, exits: [] } }, 'has exits'],
    [
      'a text that is no template',
      { name: 'planner', input: { ...planner.input, userPrompt: '{{#a}}' } },
      'Close every {{tag}} and section',
    ],
  ])('is refused with %s', async (_, workflow, why) => {
    const { status, body } = await server.post('/v1/machines', orders(machineName, workflow));
    expect([status, body.detail]).toEqual([422, expect.stringContaining(why)]);
  });

  it('fails when a tool of its input is not there when it is asked', async () => {
    const { body } = await propose(
      await session({ ...planner, input: { ...planner.input, tools: ['none'] } }),
    );
    expect(body).toMatchObject({
      status: 502,
      kind: 'workflow',
      detail: expect.stringContaining('tools none'),
    });
  });
});
