import { afterEach, expect, it } from '@jest/globals';
import { type LlmScript, text, toolCall } from '#lib/activities/testing';
import { askModel, callFunction } from '#lib/call-rules';
import { EngineSettings, eventCatalogue, Redial, type RedialOptions } from '#lib/engine';
import { openHistory, regress, Today, verifyHistory } from '#lib/histories';
import { fileWith, historyFile } from '#lib/histories/testing';
import { type Json, randomIds } from '#lib/kernel';
import { child, defineWorkflow, signal, uuid, WorkflowRuntime } from '#lib/workflow';
import { approval } from '../support/approval.workflow.js';
import { describeOnEachEngine } from '../support/places/describe-on-engines.js';
import { RedialServer } from '../support/redial-server.js';

const MODEL = 'gpt-4o-mini';
const OTHER = 'gpt-4o';
const input = { systemPrompt: 'You help.', userPrompt: 'Refund order 7.', model: MODEL, tools: ['refund'] };

/** Asks a model in a child run. */
const asking = defineWorkflow('asking', {
  input: {},
  uses: { models: [MODEL] },
  versions: {
    *1() {
      const messages = [{ role: 'user', content: 'Why?' }];
      return (yield* askModel({ model: MODEL, messages })).content;
    },
  },
});
const delegating = defineWorkflow('delegating', {
  input: {},
  versions: {
    *1() {
      return yield* child('asking', {});
    },
  },
});

/** Waits, and runs a planner. */
const planning = defineWorkflow<{ readonly planned: Json }, Json>('planning', {
  input: { type: 'object' },
  versions: {
    *1({ input: { planned } }) {
      yield* signal('go');
      return yield* child('planner', planned);
    },
  },
});

/** Names an order, pays it, and waits. */
interface Payment {
  readonly amount: number;
  readonly twice?: boolean;
  readonly atOnce?: boolean;
}
const paying = defineWorkflow<Payment, Json>('paying', {
  input: { type: 'object' },
  uses: { functions: ['pay'] },
  versions: {
    *1({ input: { amount, twice, atOnce } }) {
      const order = yield* uuid();
      yield* callFunction('pay', { order, amount });
      if (atOnce) return { order, amount };
      if (twice) yield* callFunction('pay', { order, amount });
      yield* signal('go');
      return { order, amount, next: yield* uuid() };
    },
  },
});

describeOnEachEngine('a fork of a run', (emptyPlace) => {
  let server: RedialServer;
  let redial: Redial;
  const done: Json[] = [];

  async function begin(script: LlmScript = [], options: RedialOptions = {}, lasts = false): Promise<void> {
    done.length = 0;
    const functions = {
      refund: (given: unknown) => void done.push(given as Json),
      pay: (given: unknown) => void done.push(given as Json),
    };
    const workflows = [approval, asking, delegating, paying, planning];
    server = await RedialServer.start({
      place: await emptyPlace(lasts),
      script,
      options: { functions, workflows, ...options },
    });
    redial = server.app.get(Redial);
    await redial.registerTool({
      toolId: 'refund',
      description: 'Refunds an order',
      parameters: { type: 'object' },
      execution: { fnName: 'refund' },
    });
  }
  afterEach(() => server.stop());

  const start = (workflow: string, given: Json) =>
    redial.startRun({ workflow, input: given, waitMs: 60_000 });
  const settled = (runId: string) => redial.getRun({ runId, waitMs: 60_000 });
  const typesOf = async (runId: string): Promise<readonly string[]> =>
    (await redial.listRunEvents({ runId, limit: 500 })).items.map(({ type }) => type);
  async function revisionOf(runId: string, type: string): Promise<number> {
    return (await typesOf(runId)).indexOf(type);
  }
  async function replays(runId: string): Promise<void> {
    expect(await redial.replayRun({ runId })).toMatchObject({ identical: true, divergences: [] });
  }
  async function approve(runId: string): Promise<void> {
    await settled(runId);
    const { items } = await redial.listTasks({ runId, status: 'open' });
    expect(items).toMatchObject([{ kind: 'approval', isFork: true }]);
    await redial.answerTask({ taskId: items[0]?.taskId ?? '', choice: 'approve' });
  }
  const asked = () => server.llm.requests.map(({ body }) => body as { model: string; temperature?: number });

  it('asks a request that is open there again, under what it overrides, and its parent is untouched', async () => {
    await begin([text('Done.'), text('Done otherwise.')]);
    const { runId } = await start('planner', input);
    const before = await redial.listRunEvents({ runId, limit: 500 });
    const atRevision = await revisionOf(runId, 'LlmCallRequested');
    const overrides = { model: OTHER, modelParameters: { temperature: 0.5 } };
    const fork = await redial.forkRun({ runId, atRevision, overrides, reason: 'What if?' });
    expect(fork).toMatchObject({
      workflow: 'planner',
      forkedFrom: { runId, revision: atRevision, by: 'operator', reason: 'What if?' },
      revision: atRevision + 1,
    });
    expect(await settled(fork.runId)).toMatchObject({
      status: 'completed',
      result: { summary: 'Done otherwise.' },
      usage: { calls: 1 },
    });
    expect(asked()).toMatchObject([{ model: MODEL }, { model: OTHER, temperature: 0.5 }]);
    expect(await typesOf(fork.runId)).toEqual([
      'WorkflowStarted',
      'LlmCallRequested',
      'WorkflowForked',
      'LlmCallRequested',
      'LlmCallCompleted',
      'WorkflowEnded',
    ]);
    const { items: calls } = await redial.listLlmCallsOfRun({ runId: fork.runId });
    expect(calls).toMatchObject([{ model: OTHER, requestBody: { model: OTHER, temperature: 0.5 } }]);
    expect(await redial.listRunEvents({ runId, limit: 500 })).toEqual(before);
    await replays(fork.runId);
    await replays(runId);
    expect((await redial.listRuns({ forkedFrom: runId })).items).toMatchObject([{ runId: fork.runId }]);
  });

  it('is refused before anything is recorded where its models cannot be called, as a start is', async () => {
    await begin([text('Done.'), text('Again.')], {}, true);
    const { runId } = await start('planner', input);
    const atRevision = await revisionOf(runId, 'LlmCallRequested');
    const { runId: fork } = await redial.forkRun({ runId, atRevision, overrides: { model: OTHER } });
    await settled(fork);
    const { place } = server;
    await server.stop();
    server = await RedialServer.start({ place, environment: { OPENAI_API_KEY: undefined } });
    redial = server.app.get(Redial);
    const before = (await redial.listRuns()).items.length;
    for (const parent of [runId, fork])
      expect(await server.post(`/v1/runs/${parent}/forks`, { atRevision })).toMatchObject({
        status: 422,
        body: { code: 'configuration', detail: expect.stringContaining('there is no API key') },
      });
    expect((await redial.listRuns()).items).toHaveLength(before);
  });

  it('keeps what a fork that it is forked from overrides', async () => {
    await begin([toolCall('refund', { order: 7 }), text('Once.'), text('Twice.')]);
    const { runId } = await start('planner', input);
    const atRevision = await revisionOf(runId, 'ToolCallRequested');
    const overrides = { model: OTHER, modelParameters: { temperature: 0.5 } };
    const first = await redial.forkRun({ runId, atRevision, overrides, effects: 'allow' });
    expect(await settled(first.runId)).toMatchObject({ status: 'completed', result: { summary: 'Twice.' } });
    server.llm.enqueue(text('Thrice.'));
    const open = (await typesOf(first.runId)).lastIndexOf('LlmCallRequested');
    const second = await redial.forkRun({ runId: first.runId, atRevision: open });
    expect(await settled(second.runId)).toMatchObject({
      status: 'completed',
      result: { summary: 'Thrice.' },
    });
    expect(asked().at(-1)).toMatchObject({ model: OTHER, temperature: 0.5 });
    await replays(second.runId);
  });

  it('takes no budget in US dollars, of another input or of a run below it, if its model has no price', async () => {
    const models = { [MODEL]: { inputPerMillion: 2, outputPerMillion: 10 } };
    const prices = [{ version: '1', from: '2000-01-01T00:00:00Z', currency: 'USD', models }] as const;
    await begin([toolCall('refund', { order: 7 }), text('Once.'), text('Twice.')], { prices });
    const budget = { maxUSD: 0.01 };
    const { runId } = await start('planner', input);
    const atRevision = await revisionOf(runId, 'ToolCallRequested');
    const first = await redial.forkRun({ runId, atRevision, overrides: { model: OTHER }, effects: 'allow' });
    await settled(first.runId);
    const open = (await typesOf(first.runId)).lastIndexOf('LlmCallRequested');
    const overrides = { input: { ...input, budget } };
    const refused = redial.forkRun({ runId: first.runId, atRevision: open, overrides });
    await expect(refused).rejects.toMatchObject({
      rejection: { code: 'budget', problems: [{ path: '/overrides/input' }] },
    });
    const parent = await start('planning', { planned: { ...input, budget } });
    const at = { runId: parent.runId, atRevision: await revisionOf(parent.runId, 'SignalAwaited') };
    const fork = await redial.forkRun({ ...at, overrides: { model: OTHER } });
    await settled(fork.runId);
    await redial.signalRun({ runId: fork.runId, name: 'go', payload: null });
    expect(await settled(fork.runId)).toMatchObject({ status: 'failed', failure: { kind: 'budget' } });
    await replays(fork.runId);
    expect(asked().map(({ model }) => model)).toEqual([MODEL, MODEL, OTHER]);
  });

  it('asks the model of the last of two forks that name one, though the run has asked that of the first', async () => {
    await begin([
      toolCall('refund', { order: 7 }),
      text('Once.'),
      toolCall('refund', { order: 8 }),
      text('Twice.'),
    ]);
    const { runId } = await start('planner', input);
    const atRevision = await revisionOf(runId, 'ToolCallRequested');
    const first = await redial.forkRun({ runId, atRevision, overrides: { model: OTHER }, effects: 'allow' });
    expect(await settled(first.runId)).toMatchObject({ status: 'completed', result: { summary: 'Twice.' } });
    server.llm.enqueue(text('Thrice.'));
    const open = (await typesOf(first.runId)).lastIndexOf('LlmCallRequested');
    const again = { runId: first.runId, atRevision: open, overrides: { model: MODEL } };
    const second = await redial.forkRun(again);
    expect(await settled(second.runId)).toMatchObject({
      status: 'completed',
      result: { summary: 'Thrice.' },
    });
    expect(asked().map(({ model }) => model)).toEqual([MODEL, MODEL, OTHER, OTHER, MODEL]);
    await replays(second.runId);
  });

  it('is made where the next event comes from outside, and nowhere else', async () => {
    await begin([toolCall('refund', { order: 7 }), text('Done.')]);
    const { runId } = await start('planner', input);
    const at = (atRevision: number) => server.post(`/v1/runs/${runId}/forks`, { atRevision });
    const inside = await revisionOf(runId, 'LlmCallCompleted');
    expect(await at(inside)).toMatchObject({
      status: 422,
      body: { code: 'inside-append', before: inside - 1, after: inside + 1 },
    });
    const { revision } = await redial.getRun({ runId });
    const last = (await typesOf(runId)).lastIndexOf('LlmCallCompleted');
    const { body } = await at(last);
    expect(body).toMatchObject({ code: 'inside-append', before: last - 1 });
    expect(body).not.toHaveProperty('after');
    expect(await at(revision)).toMatchObject({ status: 422, body: { code: 'run-ended' } });
    expect(await at(revision + 1)).toMatchObject({ status: 404, body: { code: 'unknown-revision' } });
    const unknown = await server.post('/v1/runs/00000000-0000-4000-8000-000000000000/forks', {
      atRevision: 0,
    });
    expect(unknown).toMatchObject({ status: 404, body: { code: 'unknown-run' } });
  });

  it('holds a tool that changes something, also one that was called when it was forked', async () => {
    await begin([toolCall('refund', { order: 7 }), text('Once.'), text('Again.')]);
    const { runId } = await start('planner', input);
    const atRevision = await revisionOf(runId, 'ToolCallRequested');
    const fork = await redial.forkRun({ runId, atRevision });
    expect(await settled(fork.runId)).toMatchObject({
      status: 'waiting',
      awaiting: [{ signal: 'approval' }],
    });
    expect(done).toEqual([{ order: 7 }]);
    await approve(fork.runId);
    expect(await settled(fork.runId)).toMatchObject({ status: 'completed', result: { summary: 'Again.' } });
    expect(done).toEqual([{ order: 7 }, { order: 7 }]);
    const [before] = (await redial.listToolCalls({ runId })).items;
    const { items } = await redial.listToolCalls({ runId: fork.runId });
    expect(items).toMatchObject([{ toolId: 'refund', status: 'completed' }]);
    expect(items[0]?.callId).not.toBe(before?.callId);
    await replays(fork.runId);
  });

  it('asks in the runs that it starts as it asks itself', async () => {
    await begin([text('So.'), text('Thus.')]);
    const { runId } = await start('delegating', {});
    const atRevision = await revisionOf(runId, 'ChildStarted');
    const fork = await redial.forkRun({ runId, atRevision, overrides: { model: OTHER } });
    expect(await settled(fork.runId)).toMatchObject({ status: 'completed', result: 'Thus.' });
    expect(asked()).toMatchObject([{ model: MODEL }, { model: OTHER }]);
    await replays(fork.runId);
  });

  it('keeps the ids that were made before it, makes others after it, and holds functions', async () => {
    await begin();
    const { runId } = await start('paying', { amount: 5 });
    const atRevision = await revisionOf(runId, 'SignalAwaited');
    const fork = await redial.forkRun({ runId, atRevision, overrides: { input: { amount: 6 } } });
    expect(fork).toMatchObject({ input: { amount: 6 } });
    await settled(fork.runId);
    for (const one of [runId, fork.runId]) await redial.signalRun({ runId: one, name: 'go', payload: null });
    const [parent, forked] = [await settled(runId), await settled(fork.runId)];
    const { order, next } = parent.result as { order: string; next: string };
    expect(forked.result).toMatchObject({ order, amount: 6 });
    expect(forked.result).not.toMatchObject({ next });
    expect(done).toEqual([{ order, amount: 5 }]);
    await replays(fork.runId);

    const asks = await redial.forkRun({
      runId,
      atRevision: await revisionOf(runId, 'FunctionCallRequested'),
    });
    expect(await settled(asks.runId)).toMatchObject({
      status: 'waiting',
      awaiting: [{ signal: 'approval' }],
    });
    await approve(asks.runId);
    expect(await settled(asks.runId)).toMatchObject({ awaiting: [{ signal: 'go' }] });
    expect(done).toHaveLength(2);
    await replays(asks.runId);
  });

  it.each([
    ['asks for something else than what is recorded', { twice: true }],
    ['ends before what is recorded', { atOnce: true }],
  ])('is refused with an input with which the run %s', async (_, other) => {
    await begin();
    const { runId } = await start('paying', { amount: 5 });
    const atRevision = await revisionOf(runId, 'SignalAwaited');
    const refused = await server.post(`/v1/runs/${runId}/forks`, {
      atRevision,
      overrides: { input: { amount: 5, ...other } },
    });
    expect(refused).toMatchObject({ status: 422, body: { code: 'other-past' } });
    expect((await redial.listRuns({ forkedFrom: runId })).items).toEqual([]);
  });

  it('is made once where a second process makes the same one at another time', async () => {
    await begin();
    const { runId: parent } = await start('approval', { item: 'chair' });
    const runId = randomIds.next();
    const stream = server.log.streams.of('approval', parent);
    const runtime = server.app.get(WorkflowRuntime);
    const forkAt = (occurredAt: string) => {
      const metadata = { correlationId: runId, commandId: runId, actor: 'operator', occurredAt };
      return runtime.forkRun({ stream, revision: 1, runId, by: 'operator', effects: 'hold', metadata });
    };
    const times = ['2026-01-01T00:00:00.000Z', '2026-01-01T00:00:01.000Z'];
    const forks = await Promise.all(times.map(forkAt));
    const of = { stream: server.log.streams.of('approval', runId) };
    expect(forks).toMatchObject([of, of]);
    expect((await typesOf(runId)).filter((type) => type === 'WorkflowForked')).toHaveLength(1);
  });

  it('is refused with an override that is unknown, names no model, or sets what the engine sets', async () => {
    await begin();
    const { runId } = await start('approval', { item: 'chair' });
    const unfit = { atRevision: 1, overrides: { model: 'gpt[tools' } };
    expect(await server.post(`/v1/runs/${runId}/forks`, unfit)).toMatchObject({
      status: 422,
      body: { code: 'invalid-model', errors: [{ path: '/overrides/model' }] },
    });
    const set = { atRevision: 1, overrides: { modelParameters: { extraBody: { messages: [] } } } };
    expect(await server.post(`/v1/runs/${runId}/forks`, set)).toMatchObject({
      status: 422,
      body: {
        code: 'invalid-parameters',
        errors: [{ path: '/overrides/modelParameters/extraBody/messages' }],
      },
    });
    const unknown = { atRevision: 1, overrides: { effects: 'allow', machine: {} } };
    expect(await server.post(`/v1/runs/${runId}/forks`, unknown)).toMatchObject({
      status: 400,
      body: { errors: [{ path: '/overrides/effects' }, { path: '/overrides/machine' }] },
    });
  });

  it('has a history file that is verified and regressed by itself', async () => {
    await begin([text('Done.'), text('Done otherwise.')]);
    const { runId } = await start('planner', input);
    const atRevision = await revisionOf(runId, 'LlmCallRequested');
    const fork = await redial.forkRun({ runId, atRevision, overrides: { model: OTHER } });
    await settled(fork.runId);
    const { workflows } = server.app.get(EngineSettings);
    const codec = eventCatalogue();
    const file = fileWith(Buffer.from(await historyFile(server.log, fork.runId, workflows)));
    const opened = await openHistory(file, codec);
    expect(await verifyHistory(opened, workflows)).toMatchObject({ identical: true });
    await opened.log.store.close();
    const { histories } = await regress([file], new Today({ workflows }), { codec, engine: workflows });
    expect(histories).toMatchObject([{ verdict: 'same' }]);
  });

  it('opens again what rules that are no script wait for', async () => {
    await begin();
    const { runId } = await start('approval', { item: 'chair' });
    const fork = await redial.forkRun({ runId, atRevision: 1 });
    await approve(fork.runId);
    expect(await settled(fork.runId)).toMatchObject({ status: 'completed', result: { approved: true } });
    expect(await redial.getRun({ runId })).toMatchObject({ status: 'waiting' });
    await replays(fork.runId);
  });
});
