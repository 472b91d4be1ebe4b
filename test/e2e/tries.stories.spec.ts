import { afterEach, expect, it } from '@jest/globals';
import { httpError, type LlmScript, text, toolCall } from '#lib/activities/testing';
import { askModel } from '#lib/call-rules';
import { Redial, type RedialOptions } from '#lib/engine';
import { defineWorkflow } from '#lib/workflow';
import { describeOnEachEngine } from '../support/places/describe-on-engines.js';
import { RedialServer } from '../support/redial-server.js';
import { clerk, openRefund } from '../support/refunds.js';

const UNKNOWN = '00000000-0000-4000-8000-000000000000';
const usage = { prompt_tokens: 20, completion_tokens: 3 };

const asking = defineWorkflow('asking', {
  input: {},
  uses: { models: ['gpt-4o-mini'] },
  versions: {
    *1() {
      const messages = [{ role: 'user', content: 'Why?' }];
      return (yield* askModel({ model: 'gpt-4o-mini', messages })).content;
    },
  },
});

describeOnEachEngine('a try', (emptyPlace) => {
  let server: RedialServer;
  let redial: Redial;

  async function begin(script: LlmScript, options: RedialOptions = {}): Promise<void> {
    server = await RedialServer.start({ place: await emptyPlace(), script, options });
    redial = server.app.get(Redial);
  }
  afterEach(() => server.stop());

  /** @returns the call of a proposal that a model was asked for */
  async function asked(): Promise<{ readonly sessionId: string; readonly callId: string }> {
    const sessionId = await openRefund(server);
    await redial.submitProposal({ sessionId, specialistId: 'clerk' });
    const { items } = await redial.listLlmCallsOfSession({ sessionId });
    return { sessionId, callId: items[0]?.callId ?? '' };
  }
  const bodies = () => server.llm.requests.map(({ body }) => body as Record<string, unknown>);
  const tryOver = (callId: string, body: object, key?: string) =>
    server.post(`/v1/llm-calls/${callId}/tries`, body, key === undefined ? {} : { 'Idempotency-Key': key });
  async function replays(runId: string): Promise<void> {
    expect(await redial.replayRun({ runId })).toMatchObject({ identical: true, divergences: [] });
  }

  it('sends the recorded request again, and reads the answer as that of its rung', async () => {
    await begin([toolCall('approve', { amount: 5 }), toolCall('approve', { amount: 7 })]);
    const { sessionId, callId } = await asked();
    const before = await server.get(`/v1/sessions/${sessionId}`);
    const { status, body } = await tryOver(callId, {});
    expect([status, body]).toMatchObject([
      201,
      { reading: { outcome: 'toolCall', transitionName: 'approve', metaJson: { amount: 7 } } },
    ]);
    const [first, again] = bodies();
    expect(again).toEqual(first);
    const { runId, call } = body as { runId: string; call: { runId: string; callId: string } };
    expect(call).toMatchObject({ runId, workflow: 'llm_try', rung: 'tools', requestBody: first });
    expect(call.callId).not.toBe(callId);
    expect((await server.get(`/v1/sessions/${sessionId}`)).body).toEqual(before.body);
    expect((await redial.listLlmCallsOfSession({ sessionId })).items).toMatchObject([{ callId }]);
    await replays(runId);
  });

  it('of a try reads the answer as the first call did: reasoning beside the arguments is none of them', async () => {
    const given = { amount: 7, reasoning: 'It is broken.' };
    await begin([1, 2, 3].map(() => toolCall('approve', given)));
    const sessionId = await openRefund(server);
    const asker = { ...clerk, specialistId: 'asker', askReasoning: true };
    expect((await server.post('/v1/specialists', asker)).body).toMatchObject({ askReasoning: true });
    await redial.submitProposal({ sessionId, specialistId: 'asker' });
    const { items } = await redial.listLlmCallsOfSession({ sessionId });
    const first = await redial.tryCall({ callId: items[0]?.callId ?? '' });
    const second = await redial.tryCall({ callId: first.call.callId });
    expect(first.reading).toMatchObject({ outcome: 'toolCall', metaJson: { amount: 7 } });
    expect(first.reading.metaJson).not.toHaveProperty('reasoning');
    expect(second.reading).toEqual(first.reading);
    await replays(second.runId);
  });

  it('asks another model, with other messages and parameters in place of those that were sent', async () => {
    await begin([
      toolCall('approve', { amount: 5 }),
      text({ transitionName: 'escalate', toState: 'review' }),
    ]);
    const { callId } = await asked();
    const messages = [{ role: 'user', content: 'What now?' }];
    const changes = { modelId: 'gpt-4o', modelParameters: { temperature: 0.5 }, messages };
    const answer = await redial.tryCall({ callId, ...changes });
    expect(answer.reading).toEqual({ outcome: 'decision', transitionName: 'escalate' });
    const [first, again] = bodies();
    expect(again).toEqual({ model: 'gpt-4o', messages, temperature: 0.5, tools: first?.['tools'] });
    await replays(answer.runId);
    server.llm.enqueue(text('Hm.'));
    const tried = await redial.tryCall({ callId: answer.call.callId });
    expect(tried.reading).toEqual({ outcome: 'noToolCall' });
    expect(bodies().at(-1)).toEqual(again);
    await replays(tried.runId);
  });

  it('offers no tools to a model that takes none', async () => {
    await begin([toolCall('approve', {}), text('Hm.')]);
    const { callId } = await asked();
    const answer = await redial.tryCall({ callId, modelId: 'gpt-4o[tools=no]' });
    expect(answer.reading).toEqual({ outcome: 'noToolCall' });
    expect(bodies().at(-1)).not.toHaveProperty('tools');
  });

  it('counts nowhere: in no statistics of models, in no export, and in no session', async () => {
    await begin([toolCall('approve', {}, { usage }), toolCall('approve', {}, { usage })]);
    const { callId } = await asked();
    const counted = async () => [
      await redial.getModelStatistics({}),
      (await server.get('/v1/exports/calls?format=csv')).text,
      await redial.getCollapseMetrics({ machineName: 'refunds' }),
    ];
    const before = await counted();
    const { runId } = await redial.tryCall({ callId });
    expect(await counted()).toEqual(before);
    expect((await redial.listLlmCalls({ runId })).items).toMatchObject([{ workflow: 'llm_try', runId }]);
  });

  it('answers 201 where the provider fails, and the call tells why', async () => {
    await begin([toolCall('approve', {}), httpError(400, 'no')]);
    const { callId } = await asked();
    const { status, body } = await tryOver(callId, {});
    expect([status, body]).toMatchObject([
      201,
      { reading: { outcome: 'failed' }, call: { outcome: 'failed', responseStatus: 400 } },
    ]);
    await replays((body as { runId: string }).runId);
  });

  it('is made once under a key, and refused under the key of another one', async () => {
    await begin([toolCall('approve', {}), text('Once.')]);
    const { callId } = await asked();
    const first = await tryOver(callId, {}, 'k');
    expect(await tryOver(callId, {}, 'k')).toMatchObject({ status: 201, body: first.body });
    expect(await tryOver(callId, { modelId: 'gpt-4o' }, 'k')).toMatchObject({
      status: 422,
      body: { code: 'idempotency-key-reused' },
    });
    expect(bodies()).toHaveLength(2);
  });

  it('is refused before anything is written, if there is no such call or the request cannot be sent', async () => {
    await begin([toolCall('approve', {})]);
    const { callId, sessionId } = await asked();
    const head = await server.head();
    for (const id of [UNKNOWN, sessionId])
      expect(await tryOver(id, {})).toMatchObject({ status: 404, body: { code: 'unknown-call' } });
    expect(await tryOver(callId, { modelId: 'gpt[' })).toMatchObject({
      status: 422,
      body: { code: 'invalid-model', errors: [{ path: '/modelId' }] },
    });
    expect(await tryOver(callId, { modelParameters: { extraBody: { model: 'x' } } })).toMatchObject({
      status: 422,
      body: { code: 'invalid-parameters', errors: [{ path: '/modelParameters/extraBody/model' }] },
    });
    for (const body of [{ messages: [] }, { messages: ['Hi'] }])
      expect(await tryOver(callId, body)).toMatchObject({ status: 400 });
    expect(await server.head()).toBe(head);
    expect(bodies()).toHaveLength(1);
  });

  it('of a call of a workflow names no transition', async () => {
    await begin([text('Done.'), toolCall('approve', { amount: 1 })], { workflows: [asking] });
    const { runId } = await redial.startRun({ workflow: 'asking', input: {}, waitMs: 60_000 });
    const { items } = await redial.listLlmCallsOfRun({ runId });
    const answer = await redial.tryCall({ callId: items[0]?.callId ?? '' });
    expect(answer.reading).toEqual({ outcome: 'toolCall' });
    expect(bodies()[1]).toEqual(bodies()[0]);
    await replays(answer.runId);
  });
});
