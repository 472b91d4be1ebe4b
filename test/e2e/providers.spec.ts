import { derivedId } from '#lib/kernel';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { droppedConnection, httpError, reply, streamed, text, toolCall } from '#lib/activities/testing';
import { ofType, ProvidersSetting, SECRET } from '../support/providers-setting.js';
import { type SentEvent, sentEvents } from '../support/sent-events.js';

describe('providers', () => {
  let setting: ProvidersSetting;
  describe('in one setting', () => {
    beforeAll(async () => {
      setting = await ProvidersSetting.start();
    });
    afterAll(() => setting.stop());
    beforeEach(() => setting.renew());

    it('are asked by the first part of the name of a model, with their own key, headers and query', async () => {
      await setting.register('eu/gpt-x');
      setting.eu.enqueue(toolCall('pay', {}));
      const { asked, events } = await setting.propose();
      expect(asked).toMatchObject({ status: 201, body: { transitionName: 'pay' } });
      expect(setting.eu.requests).toMatchObject([
        {
          path: '/v1/chat/completions?api-version=2024-10-21',
          headers: { authorization: 'Bearer sk-eu-canary-0123456789', 'x-tenant': SECRET },
          body: { model: 'gpt-x' },
        },
      ]);
      expect(ofType(events, 'LlmCallRequested')).toMatchObject([{ provider: 'eu', attempt: 1 }]);
      expect(JSON.stringify(events)).not.toMatch(/canary/);
    });

    it('own no prefix that is not configured: it belongs to the name of the model', async () => {
      await setting.register('openai/gpt-x');
      setting.server.llm.enqueue(toolCall('pay', {}));
      await setting.propose();
      expect(setting.server.llm.requests).toMatchObject([{ body: { model: 'openai/gpt-x' } }]);
    });

    it('are listed without their secrets', async () => {
      const { body } = await setting.server.get('/v1/providers');
      expect(body).toEqual({
        items: [
          { provider: 'eu', baseUrl: setting.eu.baseUrl, hasKey: true, default: false },
          { provider: 'us', baseUrl: setting.us.baseUrl, hasKey: false, default: false },
          { provider: 'default', baseUrl: setting.server.llm.baseUrl, hasKey: true, default: true },
        ],
      });
    });

    it('that fail for a moment are asked three times by default, each a recorded call', async () => {
      await setting.register('eu/gpt-x');
      setting.eu.enqueue(
        reply({ status: 429, headers: { 'retry-after-ms': '20' } }),
        droppedConnection(),
        toolCall('pay', {}),
      );
      const { asked, events } = await setting.propose();
      expect(asked).toMatchObject({ status: 201 });
      expect(ofType(events, 'LlmCallRequested').map((data) => (data as { stepId: string }).stepId)).toEqual([
        'tools#1',
        'tools#2',
        'tools#3',
      ]);
      expect(ofType(events, 'TimerStarted')[0]).toMatchObject({ stepId: 'tools-retry#2', afterMs: 20 });
      expect(setting.eu.requests).toHaveLength(3);
    });

    it('that stay away are left for the backup, by a fallback of its own', async () => {
      await setting.register('eu/gpt-x', { backupModels: ['us/gpt-y'] });
      const later = reply({ status: 503, headers: { 'retry-after': '0' } });
      setting.eu.enqueue(later, later, later);
      setting.us.enqueue(toolCall('pay', {}));
      const { asked, events } = await setting.propose();
      expect(asked).toMatchObject({ status: 201, body: { transitionName: 'pay' } });
      expect(ofType(events, 'FallbackTaken')).toEqual([
        { callId: 'tools', from: 'eu/gpt-x', to: 'us/gpt-y', reason: 'http-error', upstreamStatus: 503 },
      ]);
      expect(setting.us.requests).toMatchObject([{ body: { model: 'gpt-y' } }]);
    });

    it('are not asked when a budget may be exceeded, which is 422 and recorded with what was spent', async () => {
      await setting.register('eu/gpt-x', { budget: { maxTokens: 1_500, per: 'day' } });
      const usage = { prompt_tokens: 900, completion_tokens: 100 };
      setting.eu.enqueue(toolCall('pay', {}, { usage }), toolCall('pay', {}, { usage }));
      expect((await setting.propose()).asked).toMatchObject({ status: 201 });
      expect((await setting.propose()).asked).toMatchObject({ status: 201 });
      const { asked, events } = await setting.propose();
      expect(asked).toMatchObject({ status: 422, body: { code: 'budget', kind: 'budget' } });
      expect(ofType(events, 'BudgetChecked')).toMatchObject([
        { spent: { tokens: 2_000, costUSD: 0 }, max: { maxTokens: 1_500 } },
      ]);
      expect(ofType(events, 'LlmCallRequested')).toEqual([]);
      expect(setting.eu.requests).toHaveLength(2);
      await setting.register('eu/gpt-x', { budget: { maxUSD: 1, per: 'call' } });
      expect((await setting.propose()).asked).toMatchObject({ status: 422, body: { code: 'budget' } });
    });

    it('refuse settings of a model that cannot be', async () => {
      const body = { role: 'proposer', specialistId: 'c', machineName: 'refunds', contextTemplate: '' };
      const register = (more: object) =>
        setting.server.post('/v1/specialists', { ...body, modelId: 'm', ...more });
      expect(await register({ modelParameters: { topK: 1 } })).toMatchObject({ status: 400 });
      expect(await register({ modelParameters: { extraBody: { model: 'x' } } })).toMatchObject({
        status: 422,
      });
      expect(await register({ budget: { maxTokens: 5 } })).toMatchObject({ status: 400 });
      expect(await register({ budget: { per: 'day' } })).toMatchObject({ status: 400 });
      expect(await register({ backupModels: ['m['] })).toMatchObject({ status: 422 });
      expect(await register({ systemPrompt: '{{#open}}' })).toMatchObject({ status: 422 });
    });
  });

  // A process remembers the refusals of a model for later runs, and its Prometheus counters cover all of its runs.
  describe('in a setting of each test', () => {
    beforeEach(async () => {
      setting = await ProvidersSetting.start();
    });
    afterEach(() => setting.stop());

    it('without apiKeyEnv get no key, and with one that is not set are not asked', async () => {
      await setting.register('us/gpt-x');
      setting.us.enqueue(toolCall('pay', {}));
      await setting.propose();
      expect(setting.us.requests[0]?.headers).not.toHaveProperty('authorization');
      await setting.stop();
      setting = await ProvidersSetting.start({ apiKeyEnv: 'NO_KEY' });
      await setting.register('eu/gpt-x');
      const { asked, events } = await setting.propose();
      expect(asked).toMatchObject({ status: 422, body: { code: 'configuration' } });
      expect(asked.body['detail']).toContain('Set NO_KEY');
      const input = { systemPrompt: '', userPrompt: '', model: 'eu/gpt-x', tools: [] };
      const run = await setting.server.post('/v1/runs', { workflow: 'planner', input });
      expect(run).toMatchObject({ status: 422, body: { code: 'configuration' } });
      expect(ofType(events, 'LlmCallRequested')).toEqual([]);
    });

    it('that refuse a parameter are asked once more without it, and the price of cached tokens is theirs', async () => {
      const usage = {
        prompt_tokens: 1_000,
        completion_tokens: 100,
        prompt_tokens_details: { cached_tokens: 800 },
      };
      const price = { inputPerMillion: 10, cacheReadPerMillion: 1, outputPerMillion: 20 };
      await setting.stop();
      setting = await ProvidersSetting.start(
        {},
        { 'eu/gpt-x': price, 'gpt-x': { ...price, outputPerMillion: 99 } },
      );
      await setting.register('eu/gpt-x');
      const error = { error: { param: 'temperature', message: 'Unsupported value' } };
      setting.eu.enqueue(httpError(400, error), toolCall('pay', {}, { usage }));
      const sessionId = await setting.session();
      const { asked, events } = await setting.propose(sessionId);
      expect(asked).toMatchObject({ status: 201, body: { numInputTokens: 1_000, costUSD: 0.0048 } });
      const costs = [{ currency: 'USD', amount: 0.0048 }];
      for (const query of [
        `sessionId=${sessionId}`,
        `sessionId=${sessionId}&roundId=${asked.body['roundId']}`,
      ]) {
        const { body } = await setting.server.get(`/v1/models?${query}`);
        expect(body).toMatchObject({ items: [{ calls: 2, failedCalls: 1, costs }] });
      }
      expect(
        setting.eu.requests.map(({ body }) => Object.keys(body as object).includes('temperature')),
      ).toEqual([true, false]);
      expect(ofType(events, 'FallbackTaken')).toMatchObject([
        { from: 'temperature', reason: 'parameter-refused' },
      ]);
    });

    it('that were not asked for a budget are counted for Prometheus: the BudgetChecked after which no call follows', async () => {
      const usage = { prompt_tokens: 900, completion_tokens: 100 };
      await setting.register('eu/gpt-x', { budget: { maxTokens: 1_500, per: 'day' } });
      setting.eu.enqueue(toolCall('pay', {}, { usage }), toolCall('pay', {}, { usage }));
      const checks: number[] = [];
      for (let n = 0; n < 4; n++) {
        const { events } = await setting.propose();
        checks.push(ofType(events, 'BudgetChecked').length - ofType(events, 'LlmCallRequested').length);
      }
      expect(checks).toEqual([0, 0, 1, 1]);
      const { text: metrics } = await setting.server.get(
        `/metrics?minPosition=${await setting.server.head()}`,
      );
      expect(metrics).toContain('redial_budget_refusals_total{workflow="solicitation"} 2\n');
    });

    it('that refused temperature or tools once are asked without them by later runs, which say so', async () => {
      await setting.register('eu/gpt-x', { backupModels: ['us/gpt-y'] });
      const decision = text('{"transitionName":"pay","toState":"done"}');
      const refusal = (error: object) => httpError(400, { error });
      setting.eu.enqueue(
        refusal({ param: 'temperature', message: 'Unsupported value' }),
        toolCall('pay', {}),
      );
      await setting.propose();
      const seen = () => setting.server.get('/v1/models/capabilities');
      const temperature = { provider: 'eu', model: 'gpt-x', member: 'temperature', calls: 1 };
      expect((await seen()).body['items']).toMatchObject([temperature]);
      setting.eu.enqueue(refusal({ message: 'gpt-x does not support tools' }), decision);
      await setting.propose();
      expect((await seen()).body['items']).toMatchObject([temperature, { member: 'tools' }]);
      setting.eu.enqueue(decision);
      const { asked, events } = await setting.propose();
      expect(asked).toMatchObject({ status: 201 });
      expect(ofType(events, 'FallbackTaken').slice(0, 2)).toMatchObject([
        { from: 'temperature', to: 'none', reason: 'known-unsupported' },
        { from: 'tools', to: 'none', reason: 'known-unsupported' },
      ]);
      expect(setting.eu.requests).toHaveLength(5);
      expect(Object.keys(setting.eu.requests[4]?.body as object)).toEqual(['model', 'messages']);
      expect(ofType(events, 'LlmCallRequested')).toHaveLength(1);
    });

    it('asked for a stream show the reply in the events of the session and of its run while it comes', async () => {
      await setting.register('eu/gpt-x', { modelParameters: { stream: true } });
      let go = () => {};
      const listening = new Promise<void>((resolve) => (go = resolve));
      const part = (delta: object) => ({ model: 'gpt-x-1', choices: [{ index: 0, delta }] });
      const parts = [part({ content: 'Paid ' }), part({ content: 'before.' })];
      const paid = [
        part({ tool_calls: [{ index: 0, id: 'a', function: { name: 'pay', arguments: '' } }] }),
        part({ tool_calls: [{ index: 0, function: { arguments: '{}' } }] }),
        { choices: [], usage: { prompt_tokens: 7, completion_tokens: 3 } },
      ];
      const rest = (streamed(paid).body as string) + '\n';
      setting.eu.enqueue({ ...streamed(parts, { end: '' }), after: listening, more: [{ body: rest }] });
      const sessionId = await setting.session();
      const leaving = new AbortController();
      const open = async (path: string) =>
        sentEvents(await fetch(`${setting.server.url}${path}/events/stream`, { signal: leaving.signal }));
      const until = async (events: AsyncGenerator<SentEvent>, type: string) => {
        const taken: SentEvent[] = [];
        while (taken.at(-1)?.event !== type) taken.push((await events.next()).value as SentEvent);
        return taken;
      };
      const ofSession = await open(`/v1/sessions/${sessionId}`);
      const answer = setting.propose(sessionId);
      const stream = String(
        (await until(ofSession, 'LlmCallRequested'))
          .map(({ data }) => (data as { stream: string }).stream)
          .at(-1),
      );
      const ofRun = await open(`/v1/runs/${stream.slice(stream.indexOf('-') + 1)}`);
      await until(ofRun, 'LlmCallRequested');
      go();
      const callId = derivedId(stream.slice(stream.indexOf('-') + 1), 'tools#1');
      const deltas = [
        { id: '', event: 'delta', data: { stream, callId, text: 'Paid ' } },
        { id: '', event: 'delta', data: { stream, callId, text: 'before.' } },
      ];
      for (const events of [ofSession, ofRun]) {
        const shown = await until(events, 'WorkflowEnded');
        expect(shown.filter(({ event }) => event === 'delta')).toEqual(deltas);
      }
      leaving.abort();
      const { asked, events, calls } = await answer;
      expect(asked).toMatchObject({ status: 201, body: { transitionName: 'pay', numInputTokens: 7 } });
      expect(setting.eu.requests[0]?.body).toMatchObject({
        stream: true,
        stream_options: { include_usage: true },
      });
      expect(calls).toMatchObject([
        { firstTokenMs: expect.any(Number), tokens: { inputUncached: 7, output: 3 } },
      ]);
      expect(events.map(({ type }) => type)).not.toContain('delta');
    });

    it('that refuse to stream are asked for a whole reply, without the options of streams', async () => {
      await setting.register('eu/gpt-x', { modelParameters: { stream: true } });
      const error = { error: { param: 'stream', message: 'Unsupported value' } };
      setting.eu.enqueue(httpError(400, error), toolCall('pay', {}));
      expect((await setting.propose()).asked).toMatchObject({ status: 201 });
      expect(Object.keys(setting.eu.requests[1]?.body as object)).not.toContain('stream_options');
    });
  });
});
