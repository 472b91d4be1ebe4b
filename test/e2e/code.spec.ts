import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { temporaryFolder } from '#lib/kernel/testing';
import { type LlmScript, text } from '#lib/activities/testing';
import { openEventStore } from '#lib/engine';
import { copyLog, StreamNames } from '#lib/event-store';
import { RedialServer } from '../support/redial-server.js';
import { untilEvent } from '../support/until-event.js';

/** The copy that `redial log copy` makes of the log of a running server. */
async function copyLogOf({ log }: RedialServer, logFile: string): Promise<void> {
  const target = await openEventStore({ eventStoreDbUrl: undefined, logFile, streamPrefix: 'redial_' });
  const names = new StreamNames('redial_');
  await copyLog({ source: log.store, target, names, until: await log.store.head() });
  await target.close();
}

const fenced = (code: string) => text(`Here it is:\n\n\`\`\`tsx\n${code}\n\`\`\`\n`);

/** Takes any value. */
const exits = [{ name: 'done', description: 'The work is done' }];

describe('code as action over HTTP', () => {
  let server: RedialServer;
  afterEach(() => server.stop());

  async function start(script: LlmScript): Promise<void> {
    const functions = { find_order: ({ order }: { order: number }) => ({ order, total: order * 10 }) };
    server = await RedialServer.start({ script, options: { functions } });
    const parameters = { type: 'object', properties: { order: { type: 'integer' } }, required: ['order'] };
    const execution = { fnName: 'find_order' };
    const policy = { concurrencySafe: true };
    await server.post('/v1/tools', {
      toolId: 'find_order',
      description: 'Finds an order',
      parameters,
      execution,
      policy,
    });
  }

  it('L-1 L-10 L-16 L-36 L-47 L-48: runs the program of a reply in the sandbox, makes its calls of tools, and takes its exit', async () => {
    await start([
      fenced(`// both orders at once
const found = await Promise.all([find_order({ order: 1 }), find_order({ order: 2 })]);
const sum: number = found.reduce((total, { total: one }) => total + one, 0);
throw new Error('not yet');`),
      fenced(
        'const third = await find_order({ order: 3 });\nreturn { action: "done", value: sum + third.total };',
      ),
    ]);
    const { status, body } = await server.post('/v1/runs', {
      workflow: 'code',
      input: { instructions: 'Add the orders up.', model: 'gpt-4o-mini', tools: ['find_order'], exits },
      waitMs: 10_000,
    });
    expect([status, body.status]).toEqual([201, 'completed']);
    expect(body.result).toMatchObject({ exit: 'done', value: 60, iterations: 2 });
    const calls = await server.get(`/v1/runs/${body.runId}/tool-calls`);
    expect(calls.body.items).toMatchObject(
      [1, 2, 3].map((order) => ({ arguments: { order }, status: 'completed' })),
    );
    const listed = await server.get(`/v1/runs/${body.runId}/iterations`);
    const asked = await server.get(`/v1/runs/${body.runId}/llm-calls`);
    expect(listed.body.items).toMatchObject([
      {
        index: 1,
        status: { type: 'execution_error', message: 'Error: not yet (line 4)' },
        variables: { sum: 30, found: [{ total: 10 }, { total: 20 }] },
        traces: [
          { type: 'comment', text: 'both orders at once', line: 1 },
          { type: 'tool_call', input: { order: 1 }, output: { total: 10 } },
          { type: 'tool_call', input: { order: 2 }, output: { total: 20 } },
        ],
        llmCallId: asked.body.items.at(0).callId,
      },
      {
        index: 2,
        status: { type: 'exit_success', name: 'done', value: 60 },
        variables: { third: { order: 3 } },
      },
    ]);
    const replay = await server.post(`/v1/runs/${body.runId}/replay`);
    expect(replay.body).toMatchObject({ identical: true, notRecomputed: 0, divergences: [] });
    expect(replay.body.recomputed).toBeGreaterThanOrEqual(4);
  });

  it('L-5 L-26 L-44: a run with objects and sources over HTTP: names that clash are refused, writes and citations are in its result', async () => {
    await start([
      fenced(
        'cart.total = cart.total + 1;\nreturn { action: "done", value: { found: await cart.find({ order: 2 }), why: "One more【0】." } };',
      ),
    ]);
    const properties = [{ name: 'total', value: 1, writable: true, schema: { type: 'integer' } }];
    const citations = ['Add one.'];
    const input = { instructions: 'Add.', model: 'gpt-4o-mini', tools: [], exits, citations };
    const cart = { name: 'cart', properties, tools: [{ toolId: 'find_order', name: 'find' }] };
    const clash = { ...input, objects: [cart, cart] };
    const refused = await server.post('/v1/runs', { workflow: 'code', input: clash });
    expect([refused.status, refused.body]).toMatchObject([422, { errors: [{ path: '/input/objects/1' }] }]);
    const { body } = await server.post('/v1/runs', {
      workflow: 'code',
      input: { ...input, objects: [cart] },
      waitMs: 30_000,
    });
    const mutations = [{ object: 'cart', property: 'total', before: 1, after: 2 }];
    expect(body.result).toMatchObject({
      value: { found: { order: 2, total: 20 }, why: 'One more.' },
      mutations,
      citations: [{ path: '/why', id: 0, source: 'Add one.' }],
    });
    const replay = await server.post(`/v1/runs/${body.runId}/replay`);
    expect(replay.body).toMatchObject({ identical: true, notRecomputed: 0, recomputed: 2 });
  });

  it('L-8 L-47: answers others while a program runs that would run for a minute, and stops it when its run is cancelled', async () => {
    await start([fenced('for (;;);')]);
    const limits = { ticks: 1_000_000, timeMs: 60_000 };
    const input = { instructions: 'Run.', model: 'gpt-4o-mini', tools: [], limits };
    const { body } = await server.post('/v1/runs', { workflow: 'code', input });
    const path = `/v1/runs/${body.runId}`;
    await untilEvent(server.log, ({ type }) => type === 'SandboxRequested');
    expect((await server.get(path)).body).toMatchObject({ status: 'running' });
    await server.post(`${path}/cancel`, { reason: 'enough' });
    const { data: end } = await untilEvent(server.log, ({ type }) => type === 'WorkflowEnded');
    expect(end).toMatchObject({ status: 'cancelled' });
    const { body: listed } = await server.get(`${path}/iterations`);
    expect(listed.items).toMatchObject([{ status: { type: 'aborted', reason: 'enough' } }]);
    const slice = await untilEvent(server.log, ({ type }) => type === 'SandboxFailed');
    expect(slice.data).toMatchObject({ failure: { kind: 'interrupted' } });
  });

  it('L-41 L-42 L-43: a run that waits for an approval goes on in a copy of its log on another machine, at the same place', async () => {
    const program =
      fenced(`const [kept, amount] = [new Map([['a', 1]]), (await find_order({ order: 4 })).total];
const paid = await pay_back({ amount });
return { action: 'done', value: [kept.get('a'), amount, paid] };`);
    await start([program]);
    const parameters = { type: 'object', properties: { amount: { type: 'number' } } };
    const tool = { toolId: 'pay_back', description: 'Pays', parameters, execution: { fnName: 'pay_back' } };
    await server.post('/v1/tools', { ...tool, policy: { needsApproval: true } });
    const input = { instructions: 'Pay.', model: 'gpt-4o-mini', tools: ['find_order', 'pay_back'], exits };
    const { body } = await server.post('/v1/runs', { workflow: 'code', input, waitMs: 30_000 });
    expect(body.status).toBe('waiting');
    const place = { dataDir: temporaryFolder() };
    await copyLogOf(server, join(place.dataDir, 'log.sqlite'));
    await server.stop();
    const functions = { pay_back: ({ amount }: { amount: number }) => `paid ${amount}` };
    server = await RedialServer.start({ place, script: [], options: { functions } });
    await server.post(`/v1/runs/${body.runId}/signals/approval`, { payload: { approved: true } });
    await untilEvent(server.log, ({ type }) => type === 'WorkflowEnded');
    const { body: ended } = await server.get(`/v1/runs/${body.runId}`);
    expect(ended).toMatchObject({ status: 'completed', result: { value: [1, 40, 'paid 40'] } });
    const replay = await server.post(`/v1/runs/${body.runId}/replay`);
    expect(replay.body).toMatchObject({ identical: true, notRecomputed: 0 });
  });

  it('L-7 L-33 61 66: a conversation over HTTP: a message at a time, hooks that are functions, tokens of each iteration', async () => {
    const exits: unknown[] = [];
    const functions = {
      guard: ({ exit }: { exit: string }) => {
        exits.push(exit);
        if (exits.length === 1) throw new Error('Greet the user first.');
        return null;
      },
    };
    const hello = fenced("yield <Message>Hello</Message>;\nreturn { action: 'listen' };");
    const options = { functions };
    server = await RedialServer.start({ script: [hello, hello], options });
    const hooks = { onExit: { fn: 'guard' } };
    const input = { instructions: 'Talk.', model: 'gpt-4o-mini', tools: [], chat: true, hooks };
    const { body } = await server.post('/v1/runs', { workflow: 'code', input, waitMs: 30_000 });
    expect(body).toMatchObject({ status: 'waiting', awaiting: [{ signal: 'message', prompt: { turn: 1 } }] });
    const path = `/v1/runs/${body.runId}`;
    const message = { awaitId: 'message-1', payload: { text: 'Hi' } };
    expect((await server.post(`${path}/signals/message`, message)).status).toBe(200);
    expect((await server.post(`${path}/signals/message`, message)).status).toBe(409);
    await untilEvent(
      server.log,
      ({ type, data }) => type === 'SignalAwaited' && (data as { stepId: string }).stepId === 'message-2',
    );
    const transcript = await server.get(`${path}/transcript`);
    const sent = { role: 'assistant', component: 'Message', text: 'Hello' };
    expect(transcript.body.items).toMatchObject([{ role: 'user', text: 'Hi' }, sent, sent]);
    const next = await server.get(`${path}/transcript?limit=1`);
    expect(next.body).toMatchObject({ items: [{ text: 'Hi' }], nextCursor: expect.any(String) });
    const listed = await server.get(`${path}/iterations?limit=1`);
    expect(listed.body.items).toMatchObject([
      {
        status: { type: 'exit_error', code: 'hook-refused' },
        model: 'gpt-4o-mini',
        tokens: { output: expect.any(Number) },
      },
    ]);
    await server.post(`${path}/cancel`, {});
    await untilEvent(server.log, ({ type }) => type === 'WorkflowEnded');
    expect((await server.get(path)).body.result.messages).toHaveLength(3);
    const replay = await server.post(`${path}/replay`);
    expect(replay.body).toMatchObject({ identical: true, notRecomputed: 0, divergences: [] });
  });
});
