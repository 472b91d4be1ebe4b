import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  httpError,
  partialReply,
  reply,
  type ScriptedReply,
  ScriptedWebhookServer,
  toolCall,
} from '#lib/activities/testing';
import { RedialServer } from '../support/redial-server.js';

const usage = { prompt_tokens: 1000, completion_tokens: 100 };
const prices = [
  {
    version: '2026',
    from: '2000-01-01T00:00:00Z',
    currency: 'USD',
    models: { 'gpt-a': { inputPerMillion: 2, outputPerMillion: 10 } },
  },
];
const proposer = (specialistId: string, modelId = 'gpt-a') => ({
  role: 'proposer',
  specialistId,
  modelId,
  contextTemplate: 'Examples: {{#exemplars}}{{sessionMetaJson.text}}={{transitionName}};{{/exemplars}}',
});
const transitions = {
  pay: { target: 'paid', description: 'Pay' },
  refuse: { target: 'paid', description: 'No' },
};
const machine = {
  machineName: 'bills',
  initialState: 'open',
  goalState: 'paid',
  specialists: [proposer('model'), { role: 'proposer', specialistId: 'boss', isHuman: true }],
  states: { open: { transitions }, paid: {} },
};

/** A machine that declares nobody: specialists are registered by themselves. */
const { specialists: _, ...ledger } = { ...machine, machineName: 'ledger' };

describe('the record over HTTP', () => {
  let server: RedialServer;
  let next: ScriptedReply = reply();
  let hooks: ScriptedWebhookServer;

  beforeAll(async () => {
    server = await RedialServer.start({
      script: () => next,
      options: { prices },
      environment: { REDIAL_WEBHOOK_PRIVATE_ADDRESSES: 'allow' },
    });
    hooks = await ScriptedWebhookServer.start();
    await server.post('/v1/machines', machine);
    await server.post('/v1/machines', ledger);
  });
  afterAll(() => Promise.all([server.stop(), hooks.close()]));

  async function session(metaJson: object = {}, machineName = 'bills'): Promise<string> {
    const { body } = await server.post('/v1/sessions', { machineName, metaJson });
    return (body as { sessionId: string }).sessionId;
  }
  const proposed = (sessionId: string, more: object = {}) =>
    server.post(`/v1/sessions/${sessionId}/proposals`, { specialistId: 'model', ...more });
  const replayed = async (sessionId: string) =>
    expect((await server.post(`/v1/sessions/${sessionId}/replay`)).body).toMatchObject({ identical: true });

  it('X-D7: a proposal carries what its calls cost, and a cost that the caller gives wins', async () => {
    next = toolCall('pay', {}, { usage });
    const [one, other] = [await session(), await session()];
    expect((await proposed(one)).body).toMatchObject({ costUSD: 0.003 });
    expect((await proposed(other, { costUSD: 9 })).body).toMatchObject({ costUSD: 9 });
    await replayed(one);
  });

  it('X-D7: the answer of a gate carries what all calls cost, failed ones included', async () => {
    const gate = {
      gateId: 'may-pay',
      prompt: 'Pay?',
      choices: { yes: { description: 'Pay' }, no: { description: 'Do not' } },
      specialists: [proposer('first'), proposer('second')],
    };
    expect((await server.post('/v1/gates', gate)).status).toBeLessThan(300);
    next = toolCall('nothing of the kind', {}, { usage });
    const { body } = await server.post('/v1/gates/may-pay/invocations', {});
    expect(body).toMatchObject({ needsHuman: true, costUSD: 0.006 });
  });

  it('X-D8, D-41: the next proposer gets a decision of a person as an example', async () => {
    const decided = await session({ text: 'cup' });
    await server.post(`/v1/sessions/${decided}/arbitrations`, {
      specialistId: 'boss',
      transitionName: 'refuse',
    });
    next = toolCall('pay', {}, { usage });
    const asked = await session();
    await proposed(asked);
    const { body } = await server.get(`/v1/sessions/${asked}/llm-calls`);
    expect(JSON.stringify(body)).toContain('Examples: cup=refuse;');
    await replayed(asked);
  });

  it('X-D11: decisions that people took elsewhere are examples, and count in the alignment of who proposed then', async () => {
    const imported = { ...machine, machineName: 'imported' };
    await server.post('/v1/machines', imported);
    const past = (transitionName: string, more: object = {}) => ({
      state: 'open',
      transitionName,
      specialistId: 'ann',
      sessionMetaJson: { text: 'jar' },
      decidedAt: '2020-01-02T03:04:05.000Z',
      proposals: [{ specialistId: 'model', transitionName: 'pay' }],
      ...more,
    });
    const path = '/v1/machines/imported/exemplars';
    const key = { 'Idempotency-Key': 'import-1' };
    const exemplars = [past('pay'), past('refuse'), past('pay')];
    const first = await server.post(path, { exemplars }, key);
    expect([first.status, first.body]).toEqual([201, { imported: 3 }]);
    expect((await server.post(path, { exemplars }, key)).headers).toMatchObject({
      'redial-position': first.headers['redial-position'],
    });
    const listed = await server.get(path);
    expect(listed.body.items).toMatchObject([
      { transitionName: 'pay', specialistId: 'ann', imported: true, decidedAt: '2020-01-02T03:04:05.000Z' },
      { transitionName: 'refuse' },
      { transitionName: 'pay' },
    ]);
    const specialist = await server.get('/v1/specialists/model?machineName=imported');
    expect(specialist.body.alignment).toMatchObject([{ matchingChoices: 2, totalComparisons: 3 }]);
    next = toolCall('pay', {}, { usage });
    const asked = await session({}, 'imported');
    await proposed(asked);
    const { body } = await server.get(`/v1/sessions/${asked}/llm-calls`);
    expect(JSON.stringify(body)).toContain('Examples: jar=pay;jar=refuse;jar=pay;');
    await replayed(asked);
    const refused = async (one: object, at = path) => {
      const answer = await server.post(at, { exemplars: [past('pay'), one] });
      return [answer.status, (answer.body.errors ?? [{}])[0].path];
    };
    expect(await refused(past('burn'))).toEqual([422, '/exemplars/1/transitionName']);
    expect(await refused({ ...past('pay'), state: 'gone' })).toEqual([422, '/exemplars/1/state']);
    expect(await refused(past('pay', { proposals: [{ specialistId: 'x', transitionName: 'pay' }] }))).toEqual(
      [422, '/exemplars/1/proposals/0/specialistId'],
    );
    const twice = ['pay', 'refuse'].map((transitionName) => ({ specialistId: 'model', transitionName }));
    expect(await refused(past('pay', { proposals: twice }))).toEqual([
      422,
      '/exemplars/1/proposals/1/specialistId',
    ]);
    expect(await refused(past('pay', { decidedAt: 'once' }))).toEqual([400, '/exemplars/1/decidedAt']);
    expect(await refused(past('pay', { proposals: [{ specialistId: 'model' }] }))).toEqual([
      400,
      '/exemplars/1/proposals/0/transitionName',
    ]);
    expect(await refused(past('pay'), '/v1/machines/nothing/exemplars')).toEqual([404, undefined]);
    expect((await server.get(path)).body.items).toHaveLength(3);
  });

  it('X-D1: a call whose reply was cut shows what was received', async () => {
    const sessionId = await session();
    next = partialReply('{"choices":', 'drop');
    expect((await proposed(sessionId)).status).toBe(502);
    const { body } = await server.get(`/v1/sessions/${sessionId}/llm-calls`);
    expect(body).toMatchObject({
      items: [
        { outcome: 'failed', responseStatus: 200, responseBody: '{"choices":', responseIncomplete: true },
      ],
    });
    await replayed(sessionId);
  });

  it('X-D2: a refusal is a 502 of its own kind', async () => {
    const sessionId = await session();
    next = reply({ body: JSON.stringify({ choices: [{ message: { content: null, refusal: 'No.' } }] }) });
    expect((await proposed(sessionId)).body).toMatchObject({
      status: 502,
      kind: 'refusal',
      upstreamStatus: 200,
    });
    next = httpError(500);
  });

  it('X-D7: webhook calls of proposers and arbiters are in a list', async () => {
    const asked = { strategyWebhookUrl: hooks.url, webhookTokenName: 'HOOK_TOKEN', machineName: 'ledger' };
    await server.post('/v1/specialists', { ...asked, role: 'proposer', specialistId: 'hook' });
    await server.post('/v1/specialists', { ...asked, role: 'arbiter', specialistId: 'judge' });
    const sessionId = await session({}, 'ledger');
    hooks.enqueue(
      httpError(503, 'busy'),
      reply({ body: '{"transitionName":"pay"}' }),
      partialReply('{"con', 'drop'),
    );
    const propose = () => server.post(`/v1/sessions/${sessionId}/proposals`, { specialistId: 'hook' });
    expect((await propose()).status).toBe(502);
    expect((await propose()).status).toBe(201);
    await server.post(`/v1/sessions/${sessionId}/arbitrations`, { specialistId: 'judge' });
    const { body } = await server.get(`/v1/sessions/${sessionId}/webhook-calls`);
    const call = { sessionId, machineName: 'ledger', url: hooks.url };
    expect(body).toMatchObject({
      items: [
        {
          ...call,
          specialistId: 'hook',
          purpose: 'strategy',
          responseStatus: 503,
          outcome: 'failed',
          responseBody: 'busy',
        },
        {
          ...call,
          specialistId: 'hook',
          purpose: 'strategy',
          responseStatus: 200,
          outcome: 'completed',
          error: null,
        },
        {
          ...call,
          specialistId: 'judge',
          purpose: 'verdict',
          responseStatus: 200,
          responseIncomplete: true,
          responseBody: '{"con',
        },
      ],
      nextCursor: null,
    });
  });

  it('X-D7: an arbitration answers what it took: as the caller gave it, else as the arbiter said, else as long as its call took', async () => {
    const asked = { strategyWebhookUrl: hooks.url, webhookTokenName: 'HOOK_TOKEN', machineName: 'ledger' };
    await server.post('/v1/specialists', { ...asked, role: 'arbiter', specialistId: 'judge' });
    const sessionId = await session({}, 'ledger');
    const proposal = { specialistId: 'hook', transitionName: 'pay' };
    const hook = { ...asked, role: 'proposer', specialistId: 'hook' };
    await server.post('/v1/specialists', hook);
    const { body } = await server.post(`/v1/sessions/${sessionId}/proposals`, proposal);
    const { proposalId: winningProposalId } = body as { proposalId: string };
    const arbitrated = async (verdict: object, given: object = {}) => {
      hooks.enqueue(reply({ body: JSON.stringify(verdict) }));
      const wish = { specialistId: 'judge', ...given };
      return (await server.post(`/v1/sessions/${sessionId}/arbitrations`, wish)).body;
    };
    expect(await arbitrated({ consensusReached: false, costUSD: 0.02 })).toMatchObject({
      executed: false,
      costUSD: 0.02,
      latencyMsec: expect.any(Number),
    });
    const verdict = { consensusReached: true, winningProposalId, costUSD: 0.02, numInputTokens: 12 };
    const given = { costUSD: 0.5, latencyMsec: 0, numOutputTokens: 3 };
    expect(await arbitrated(verdict, given)).toMatchObject({ executed: true, ...given, numInputTokens: 12 });
    await replayed(sessionId);
    const wish = { specialistId: 'judge', costUSD: -1 };
    expect((await server.post(`/v1/sessions/${sessionId}/arbitrations`, wish)).status).toBe(400);
  });

  it('X-D10: a byte order mark before a body is skipped', async () => {
    const text = `\uFEFF${JSON.stringify({ machineName: 'bills' })}`;
    expect((await server.http.post('/v1/sessions').type('json').send(text)).status).toBe(201);
  });

  it('X-U2: a model is asked for its reasoning', async () => {
    const asking = { ...proposer('asking'), machineName: 'ledger', askReasoning: true };
    expect((await server.post('/v1/specialists', asking)).status).toBe(201);
    next = toolCall('pay', { reasoning: 'It is due.' });
    const { body } = await server.post(`/v1/sessions/${await session({}, 'ledger')}/proposals`, {
      specialistId: 'asking',
    });
    expect(body).toMatchObject({ reasoning: 'It is due.' });
    expect(body).not.toHaveProperty('metaJson');
  });
});
