import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { completion, httpError, text } from '#lib/activities/testing';
import { RedialServer } from '../support/redial-server.js';

const usage = { prompt_tokens: 40, completion_tokens: 5, prompt_tokens_details: { cached_tokens: 30 } };
const calls = (...named: readonly (readonly [string, object])[]) =>
  completion(
    {
      content: null,
      tool_calls: named.map(([name, given], index) => ({
        id: `p${index}`,
        type: 'function',
        function: { name, arguments: JSON.stringify(given) },
      })),
    },
    'tool_calls',
    { usage },
  );

const prices = [
  {
    version: '2026',
    from: '2000-01-01T00:00:00Z',
    currency: 'USD',
    models: { 'gpt-4o-mini': { inputPerMillion: 2, outputPerMillion: 10 } },
  },
];

describe('the planner over HTTP', () => {
  let server: RedialServer;
  const refunds: unknown[] = [];

  beforeAll(async () => {
    const functions = {
      find_order: (given: unknown) => ({ found: given }),
      refund: (given: unknown) => refunds.push(given),
    };
    server = await RedialServer.start({ options: { functions, prices } });
    await server.post('/v1/people', { personId: 'ann', role: 'reviewer' });
    const parameters = { type: 'object', properties: { order: { type: 'integer' } }, required: ['order'] };
    for (const [toolId, policy] of [
      ['find_order', { readOnly: true }],
      ['refund', { needsApproval: true }],
    ] as const) {
      const execution = { fnName: toolId };
      await server.post('/v1/tools', { toolId, description: toolId, parameters, execution, policy });
    }
  });
  afterAll(() => server.stop());

  beforeEach(() => {
    refunds.length = 0;
  });

  const run = (changes: object = {}) =>
    server.post('/v1/runs', {
      workflow: 'planner',
      input: {
        systemPrompt: 'You help.',
        userPrompt: 'Refund order 7.',
        model: 'gpt-4o-mini',
        tools: ['find_order', 'refund'],
        ...changes,
      },
      waitMs: 10_000,
    });

  it('calls tools, waits for an approval, and ends with the whole transcript, usage and calls', async () => {
    const replies = [calls(['find_order', { order: 7 }]), calls(['refund', { order: 7 }]), text('Refunded.')];
    server.llm.enqueue(...replies);
    const waiting = await run();
    expect([waiting.status, waiting.body.status]).toEqual([201, 'waiting']);
    const { runId, awaiting } = waiting.body as { runId: string; awaiting: { prompt: object }[] };
    expect(awaiting[0]?.prompt).toMatchObject({
      toolId: 'refund',
      arguments: { order: 7 },
      reason: 'needs-approval',
    });
    const listed = await server.get(`/v1/runs/${runId}/tool-calls`);
    expect(listed.body.items).toMatchObject([
      {
        toolId: 'find_order',
        toolVersion: 1,
        status: 'completed',
        result: { success: true, data: { found: { order: 7 } } },
      },
      { toolId: 'refund', status: 'awaiting-approval', arguments: { order: 7 } },
    ]);
    const unfit = await server.post(`/v1/runs/${runId}/signals/approval`, {
      payload: { approved: true, arguments: { order: 'x' } },
    });
    expect([unfit.status, unfit.body.errors]).toMatchObject([422, [{ path: '/payload/arguments/order' }]]);
    await server.post(`/v1/runs/${runId}/signals/approval`, { payload: { approved: true }, actAs: 'ann' });
    const { body } = await server.get(`/v1/runs/${runId}?waitMs=10000`);
    expect(body).toMatchObject({
      status: 'completed',
      result: {
        rounds: 3,
        executedCalls: [
          { round: 1, toolId: 'find_order' },
          { round: 2, toolId: 'refund' },
        ],
        summary: 'Refunded.',
        stopReason: 'assistant-stop',
      },
      usage: { inputTokens: 80, cachedInputTokens: 60, outputTokens: 10, reasoningTokens: 0 },
    });
    const runs = await server.get('/v1/runs?workflow=planner&limit=1');
    expect(runs.body.items).toMatchObject([{ runId, usage: body.usage }]);
    expect(body.usage).toMatchObject({ calls: 3, costUSD: expect.closeTo(2 * (40 * 2 + 5 * 10) * 1e-6, 12) });
    const audit = await server.get(`/v1/runs/${runId}/llm-calls`);
    expect(audit.body.items).toMatchObject([1, 2, 3].map((round) => ({ runId, workflow: 'planner', round })));
    expect((await server.get(`/v1/llm-calls?runId=${runId}`)).body.items).toHaveLength(3);
    expect((await server.get('/v1/llm-calls?workflow=solicitation')).body.items).toEqual([]);
    expect(body.result.messages).toHaveLength(7);
    expect(refunds).toEqual([{ order: 7 }]);
    const called = await server.get(`/v1/runs/${runId}/tool-calls`);
    expect(called.body.items[1]).toMatchObject({ status: 'completed', approvedBy: 'ann' });
    expect((await server.post(`/v1/runs/${runId}/replay`)).body).toMatchObject({ identical: true });
  });

  it('gives long arguments to people and tools whole, though only the reply that asks for them records them', async () => {
    const note = 'n'.repeat(2_000);
    server.llm.enqueue(
      calls(['find_order', { order: 7, note }], ['find_order', { order: 'x', note }]),
      calls(['refund', { order: 8, note }]),
      text('Refunded.'),
    );
    const { runId, awaiting } = (await run()).body as { runId: string; awaiting: { prompt: object }[] };
    expect(awaiting[0]?.prompt).toMatchObject({ arguments: { order: 8, note } });
    await server.post(`/v1/runs/${runId}/signals/approval`, { payload: { approved: true } });
    await server.get(`/v1/runs/${runId}?waitMs=10000`);
    expect(refunds.at(-1)).toEqual({ order: 8, note });
    const listed = (await server.get(`/v1/runs/${runId}/tool-calls`)).body.items as object[];
    expect(listed).toMatchObject([
      {
        arguments: { order: 7, note },
        argumentsText: JSON.stringify({ order: 7, note }),
        status: 'completed',
      },
      { argumentsText: JSON.stringify({ order: 'x', note }), status: 'failed' },
      { arguments: { order: 8, note }, status: 'completed' },
    ]);
    const events = await server.log.readStream(server.log.streams.of('planner', runId));
    const requests = events.filter(({ type }) => /^ToolCall(Requested|Rejected)$/.test(type));
    expect(requests.map(({ data }) => JSON.stringify(data).includes(note))).toEqual([false, false, false]);
    expect((await server.post(`/v1/runs/${runId}/replay`)).body).toMatchObject({ identical: true });
  });

  it('fails with llm-error and keeps the transcript', async () => {
    server.llm.enqueue(httpError(400, 'no such model'));
    expect((await run()).body).toMatchObject({
      status: 'failed',
      failure: { kind: 'llm-error' },
      result: { stopReason: 'llm-error', messages: [{ role: 'system' }, { role: 'user' }] },
    });
  });

  it('is counted for Prometheus where its own budget ends it', async () => {
    server.llm.enqueue(calls(['find_order', { order: 7 }]));
    const { body } = await run({ budget: { maxTokens: 45 } });
    expect(body).toMatchObject({ status: 'completed', result: { rounds: 1, stopReason: 'budget' } });
    const { text: metrics } = await server.get(`/metrics?minPosition=${await server.head()}`);
    expect(metrics).toContain('redial_budget_refusals_total{workflow="planner"} 1\n');
  });

  it.each([
    ['a tool that nobody registered', { tools: ['none'] }, 'unknown-tool'],
    ['a member that it does not have', { colour: 'red' }, 'invalid-input'],
    ['a budget in dollars without a price', { model: 'gpt-unpriced', budget: { maxUSD: 1 } }, 'budget'],
  ])('refuses %s', async (_, changes, code) => {
    const { status, body } = await run(changes);
    expect([status, body.code]).toEqual([422, code]);
  });
});
