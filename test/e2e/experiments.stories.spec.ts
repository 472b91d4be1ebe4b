import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { heldBack, httpError, type LlmScript, text } from '#lib/activities/testing';
import { Redial } from '#lib/engine';
import type { JsonObject } from '#lib/kernel';
import { houseRule, lenders, loans } from '../support/loans.js';
import { describeOnEachEngine } from '../support/places/describe-on-engines.js';
import { RedialServer } from '../support/redial-server.js';
import { untilEvent } from '../support/until-event.js';
import { mcnemarByCounting, wilsonByFormula } from '../support/statistics-by-hand.js';

/** Of ten people's decisions: six small ones, four large ones. Each amount is there once. */
const AMOUNTS = [10, 11, 12, 13, 14, 15, 500, 501, 502, 503];
/** About this one the model is down. */
const UNLUCKY = 13;

/** The answers of the careful model to one amount, one after another. */
function carefully(amount: number, count: number): string {
  if (amount === 15) return 'reject';
  return amount === 14 ? (['approve', 'reject', 'reject'][count % 3] ?? '') : houseRule(amount);
}

const models = { 'gpt-4o-mini': { inputPerMillion: 0.15, outputPerMillion: 0.6 } };
const price = { version: 'now', from: '2020-01-01T00:00:00Z', currency: 'USD', models } as const;
const model = { modelId: 'gpt-4o-mini', contextTemplate: 'Amount: {{metaJson.amount}}.' };

describeOnEachEngine('experiments over HTTP', (emptyPlace) => {
  let server: RedialServer;
  let sessions: readonly string[];
  let boss: { 'redial-actor-token': string };
  const counts = new Map<string, number>();
  const held: { until: Promise<void> | undefined } = { until: undefined };

  /** `gpt-4o-mini` approves everything; every other model is careful. */
  const script: LlmScript = ({ text: body, body: { model: asked } }) => {
    const amount = Number(/Amount: (\d+)\./.exec(body)?.[1]);
    if (amount === UNLUCKY) return httpError(503, 'down');
    const key = `${JSON.stringify(asked)} ${amount}`;
    const count = counts.get(key) ?? 0;
    counts.set(key, count + 1);
    const transitionName = asked === 'gpt-4o-mini' ? 'approve' : carefully(amount, count);
    const decision = { transitionName, toState: 'closed', reasoning: 'so' };
    const reply = text(decision, { usage: { prompt_tokens: 20, completion_tokens: 3 } });
    return held.until ? heldBack(reply, held.until) : reply;
  };

  const post = async (path: string, body: object, headers: Record<string, string> = {}) =>
    (await server.post(`/v1/${path}`, body, headers)).body as JsonObject;
  const get = async (path: string) => (await server.get(`/v1/${path}`)).body as JsonObject;

  beforeAll(async () => {
    const options = { strategies: lenders, prices: [price] };
    server = await RedialServer.start({ place: await emptyPlace(), options, script });
    const defined = await server.post('/v1/machines', loans);
    const { actorTokens } = defined.body as { actorTokens: { boss: string } };
    boss = { 'redial-actor-token': actorTokens.boss };
    const taught: string[] = [];
    for (const amount of AMOUNTS) {
      const { sessionId } = await post('sessions', { machineName: 'loans', metaJson: { amount } });
      const forced = { specialistId: 'boss', transitionName: houseRule(amount) };
      await post(`sessions/${sessionId as string}/arbitrations`, forced, boss);
      taught.push(sessionId as string);
    }
    sessions = taught;
    await post('specialists', {
      role: 'proposer',
      specialistId: 'apprentice',
      machineName: 'loans',
      ...model,
    });
  });

  afterAll(() => server.stop());

  const points = { machineName: 'loans' };
  const generous = { name: 'generous', specialistId: 'apprentice' };
  const careful = { name: 'careful', specialistId: 'apprentice', modelId: 'careful-1' };

  async function started(body: object): Promise<string> {
    const response = await server.post('/v1/experiments', { points, ...body });
    expect([response.status, response.status === 201 || response.body]).toEqual([201, true]);
    return (response.body as { experimentId: string }).experimentId;
  }

  /** The experiment once a batch has ended. */
  async function batchEnded(experimentId: string, batch = 1): Promise<JsonObject> {
    let seen = 0;
    await untilEvent(server.log, ({ stream, type }) => {
      if (stream.endsWith(`experiment-${experimentId}`) && type === 'ExperimentBatchEnded') seen += 1;
      return seen === batch;
    });
    return get(`experiments/${experimentId}`);
  }

  it('asks one variant about the decisions of people, and reports what an independent computation gives', async () => {
    const before = await Promise.all(sessions.map((id) => get(`sessions/${id}`)));
    const experimentId = await started({ variants: [generous], name: 'as it is' });
    const experiment = await batchEnded(experimentId);
    // Of nine answers five are right; each of the four others is a loan that a person refused.
    const flips = { n: 9, flips: 4, share: 4 / 9, ...wilsonByFormula(4, 9) };
    const people = { n: 9, matches: 5, share: 5 / 9, ...wilsonByFormula(5, 9) };
    const same = { n: 9, people, flips, negativeFlips: 4 };
    const cost = (9 * (20 * 0.15 + 3 * 0.6)) / 1e6;
    expect(experiment).toMatchObject({
      experimentId,
      name: 'as it is',
      status: 'completed',
      machineName: 'loans',
      points: 10,
      progress: { done: 10, total: 10, failed: 1 },
      spent: { calls: 10, inputTokens: 180, outputTokens: 27, costUSD: expect.closeTo(cost, 12) },
      report: {
        variants: [
          {
            name: 'generous',
            ...same,
            failures: { 'http-error': 1 },
            costUSD: expect.closeTo(cost, 12),
            latencyMsec: { p50: expect.any(Number), p95: expect.any(Number) },
            byState: { asked: same },
          },
        ],
        pairs: [
          {
            a: 'recorded',
            b: 'generous',
            n: 9,
            onlyA: 4,
            onlyB: 0,
            p: expect.closeTo(mcnemarByCounting(4, 0), 12),
            verdict: 'different',
          },
        ],
      },
    });
    expect(server.llm.requests).toHaveLength(10);
    expect(await Promise.all(sessions.map((id) => get(`sessions/${id}`)))).toEqual(before);
    expect(await get('specialists/apprentice')).toMatchObject({ alignment: [] });
    expect(await get(`llm-calls?sessionId=${experimentId}`)).toMatchObject({ items: { length: 10 } });
    expect(await get('models')).toEqual({ items: [] });
    const { report: _, progress: __, spent: ___, ...about } = experiment;
    expect(await get('experiments')).toMatchObject({
      items: [
        {
          experimentId,
          name: 'as it is',
          status: 'completed',
          variants: ['generous'],
          points: about['points'],
        },
      ],
    });
  });

  it('estimates from recorded usage, and asks a variant without changes what was asked then, to the byte', async () => {
    const withExamples = `${model.contextTemplate}{{#exemplars}} {{transitionName}}{{/exemplars}}`;
    const letters = {
      ...loans,
      machineName: 'letters',
      specialists: [
        { role: 'proposer', specialistId: 'writer', ...model, contextTemplate: withExamples },
        { role: 'proposer', specialistId: 'boss', isHuman: true },
      ],
    };
    await post('machines', letters);
    const asked = server.llm.requests.length;
    for (const amount of [21, 22, 23]) {
      const { sessionId } = await post('sessions', { machineName: 'letters', metaJson: { amount } });
      const path = `sessions/${sessionId as string}`;
      await post(`${path}/proposals`, { specialistId: 'writer' });
      await post(`${path}/arbitrations`, { specialistId: 'boss', transitionName: 'reject' }, boss);
    }
    const then = server.llm.requests.slice(asked).map(({ text: body }) => body);
    const question = {
      points: { machineName: 'letters' },
      variants: [{ name: 'same', specialistId: 'writer' }],
    };
    const each = 20 + 3;
    const cost = expect.closeTo((3 * (20 * 0.15 + 3 * 0.6)) / 1e6, 12);
    expect(await post('experiments', { ...question, dryRun: true })).toEqual({
      points: 3,
      calls: 3,
      tokens: { low: 3 * each, expected: 3 * each, high: 3 * each },
      costUSD: { low: cost, expected: cost, high: cost },
    });
    await batchEnded(await started(question));
    const now = server.llm.requests.slice(asked + 3).map(({ text: body }) => body);
    expect(new Set(then.map((body) => body.split('reject').length)).size).toBe(3);
    expect(now.toSorted()).toEqual(then.toSorted());
  });

  it('shows each point with its answers, those of one kind of flip alone', async () => {
    const experimentId = await started({ variants: [generous, careful], samples: 3, concurrency: 8 });
    const experiment = await batchEnded(experimentId);
    expect(experiment).toMatchObject({
      status: 'completed',
      progress: { done: 60, total: 60, failed: 6 },
      report: {
        variants: [
          { name: 'generous', n: 9, negativeFlips: 4, selfAgreement: 1 },
          // 14 is answered with both: one of its three pairs agrees.
          { name: 'careful', n: 9, negativeFlips: 2, selfAgreement: expect.closeTo(25 / 27, 12) },
        ],
      },
    });
    const ofCareful = await get(`experiments/${experimentId}/items?variant=careful&flip=negative`);
    const shown = ofCareful['items'] as readonly JsonObject[];
    expect(shown.map(({ sessionId }) => sessionId)).toEqual(
      [15, 14].map((amount) => sessions[AMOUNTS.indexOf(amount)]),
    );
    expect(shown[0]).toMatchObject({
      state: 'asked',
      recorded: { transitionName: 'approve', decidedBy: 'boss', isHuman: true },
      flip: 'negative',
    });
    const answers = shown[0]?.['answers'] as readonly JsonObject[];
    expect(answers.map(({ variant, sample }) => [variant, sample])).toEqual(
      ['generous', 'careful'].flatMap((variant) => [1, 2, 3].map((sample) => [variant, sample])),
    );
    const { callIds } = answers[3] as { callIds: readonly string[] };
    expect(await get(`llm-calls/${callIds[0]}`)).toMatchObject({ model: 'careful-1' });
    expect(await get(`experiments/${experimentId}/items?variant=nobody`)).toMatchObject({
      code: 'invalid-variants',
    });
  });

  it('stops at its limits, and goes on up to larger ones without asking again', async () => {
    const experimentId = await started({ variants: [generous], maxCalls: 4, concurrency: 2 });
    expect(await batchEnded(experimentId)).toMatchObject({
      status: 'stopped',
      stoppedBy: 'calls',
      progress: { done: 4 },
      spent: { calls: 4 },
    });
    const path = `/v1/experiments/${experimentId}/resume`;
    expect(await server.post(path, { maxCalls: 4 })).toMatchObject({
      status: 422,
      body: {
        detail: expect.stringContaining('the limit is 4 calls, and it has made 4. Give a larger total'),
      },
    });
    expect(await server.post(path, { maxCalls: 100 })).toMatchObject({
      status: 200,
      body: { status: 'running', maxCalls: 100 },
    });
    expect(await batchEnded(experimentId, 2)).toMatchObject({
      status: 'completed',
      progress: { done: 10 },
      spent: { calls: 10 },
    });
    expect(await server.post(path, { maxCalls: 200 })).toMatchObject({ status: 409 });
    expect(await server.post(`/v1/experiments/${experimentId}/cancel`)).toMatchObject({ status: 409 });
  });

  it('has spent the calls that were in flight when it was cancelled, too', async () => {
    let answer: () => void = () => undefined;
    const answered = new Promise<void>((resolve) => (answer = resolve));
    held.until = answered;
    const before = server.llm.requests.length;
    const experimentId = await started({ variants: [generous], concurrency: 3 });
    while (server.llm.requests.length < before + 3) await setImmediate();
    const path = `/v1/experiments/${experimentId}/cancel`;
    expect(await server.post(path)).toMatchObject({ body: { status: 'cancelled', spent: { calls: 3 } } });
    await untilEvent(
      server.log,
      ({ stream, type }) => stream.includes(`experiment-${experimentId}`) && type === 'ExperimentBatchFailed',
    );
    expect(await get(`experiments/${experimentId}`)).toMatchObject({ spent: { calls: 3, costUSD: 0 } });
    held.until = undefined;
    answer();
  });

  it('exceeds a limit in US dollars by no more than what is in flight costs', async () => {
    const ofOne = (20 * 0.15 + 3 * 0.6) / 1e6;
    const atOnce = 3;
    const limits = { maxCostUSD: 3.5 * ofOne, concurrency: atOnce };
    const experimentId = await started({ variants: [generous], ...limits });
    const stopped = await batchEnded(experimentId);
    expect(stopped).toMatchObject({ status: 'stopped', stoppedBy: 'cost' });
    const { costUSD } = stopped['spent'] as { readonly costUSD: number };
    expect(costUSD).toBeGreaterThanOrEqual(limits.maxCostUSD);
    expect(costUSD).toBeLessThan(limits.maxCostUSD + atOnce * ofOne);
    const path = `/v1/experiments/${experimentId}/resume`;
    expect(await server.post(path, { maxCostUSD: costUSD })).toMatchObject({ status: 422 });
    expect(await server.post(path, { maxCostUSD: 1 })).toMatchObject({ status: 200 });
    expect(await batchEnded(experimentId, 2)).toMatchObject({
      status: 'completed',
      progress: { done: 10 },
      spent: { calls: 10, costUSD: expect.closeTo(9 * ofOne, 12) },
    });
  });

  it('asks a variant with another prompt of a state, also in a replay, and the others with that of the machine', async () => {
    const before = server.llm.requests.length;
    const [sessionId = ''] = sessions;
    const variants = [generous, { ...generous, name: 'fair', prompts: { asked: 'Is it {{fair}}?' } }];
    const experimentId = await started({ points: { sessionIds: [sessionId] }, variants });
    const { variants: asked } = await batchEnded(experimentId);
    const sent = server.llm.requests.slice(before).map(({ body }) => JSON.stringify(body));
    expect(sent.map((body) => body.includes('Is it {{fair}}?'))).toEqual(
      expect.arrayContaining([true, false]),
    );
    expect(sent).toHaveLength(2);
    for await (const { identical } of server.app.get(Redial).replayAll()) expect(identical).toBe(true);
    expect(asked).toMatchObject([
      { overrides: {} },
      { overrides: { prompts: { asked: 'Is it {{fair}}?' } } },
    ]);
  });

  it('estimates from the recorded usage of the same points, and refuses what it cannot ask', async () => {
    const estimate = await server.post('/v1/experiments', { points, variants: [generous], dryRun: true });
    expect(estimate).toMatchObject({
      status: 200,
      body: { points: 10, calls: 10, tokens: { low: 0, expected: 0, high: 0 }, costUSD: null },
    });
    const nowhere = { points: { ...points, to: '2000-01-01' }, dryRun: true };
    const prompted = [{ ...generous, prompts: { asked: 'Fair?' } }];
    const empty = await server.post('/v1/experiments', { ...nowhere, variants: prompted });
    expect(empty).toMatchObject({ status: 200, body: { points: 0, calls: 0 } });
    const head = await server.head();
    const refused: readonly (readonly [object, number, string, string?])[] = [
      [{ variants: [generous, generous] }, 422, 'invalid-variants', '/variants/1/name'],
      [{ variants: [{ ...careful, name: 'recorded' }] }, 422, 'invalid-variants', '/variants/0/name'],
      [{ variants: [generous], baseline: 'nobody' }, 422, 'invalid-variants', '/baseline'],
      [{ variants: [{ name: 'x', specialistId: 'nobody' }] }, 404, 'unknown-specialist', '/variants/0'],
      [{ variants: [{ name: 'x', specialistId: 'boss' }] }, 422, 'wrong-specialist', '/variants/0'],
      [
        { variants: [generous, { name: 'x', specialistId: 'prudent', modelId: 'm' }] },
        422,
        'wrong-specialist',
        '/variants/1',
      ],
      [{ variants: [careful], maxCostUSD: 1 }, 422, 'budget', '/variants/0'],
      [{ variants: [generous], points: { machineName: 'nobody' } }, 404, 'unknown-machine'],
      [
        { variants: [generous], points: { ...points, states: ['asked', 'askd'] } },
        422,
        'unknown-state',
        '/points/states/1',
      ],
      [{ variants: [{ ...careful, modelId: '' }] }, 422, 'invalid-model', '/variants/0/modelId'],
      [
        { variants: [{ ...careful, backupModels: ['m', 'm[tools'] }] },
        422,
        'invalid-model',
        '/variants/0/backupModels/1',
      ],
      [
        { variants: [generous, { ...careful, prompts: { asked: 'Fair?', 'a/b': 'Where?' } }] },
        422,
        'invalid-variants',
        '/variants/1/prompts/a~1b',
      ],
      [
        { variants: [{ ...careful, modelParameters: { extraBody: { model: 'x' } } }] },
        422,
        'invalid-parameters',
        '/variants/0/modelParameters/extraBody/model',
      ],
      [{ variants: [{ ...careful, prompts: {} }] }, 400, 'malformed-request', '/variants/0/prompts'],
      [
        { variants: [{ ...careful, systemPrompt: '{{#open}}' }] },
        422,
        'invalid-specialist',
        '/variants/0/systemPrompt',
      ],
      [{ variants: [generous], points: { ...points, from: 'x' } }, 400, 'malformed-request'],
      [{ variants: [generous], points: { ...points, to: '2026-13-01' } }, 400, 'malformed-request'],
      [{ variants: [] }, 400, 'malformed-request'],
      [{ variants: [generous], samples: 21 }, 400, 'malformed-request'],
    ];
    for (const [body, status, code, path] of refused) {
      const answer = await server.post('/v1/experiments', { points, ...body });
      const { errors = [] } = answer.body as { readonly errors?: readonly { readonly path: string }[] };
      const found = errors.map((one) => one.path);
      expect([body, answer.status, answer.body]).toEqual([body, status, expect.objectContaining({ code })]);
      expect([body, found]).toEqual([body, path === undefined ? found : [path]]);
    }
    expect(await server.head()).toBe(head);
    expect(await server.get('/v1/experiments/00000000-0000-4000-8000-000000000000')).toMatchObject({
      status: 404,
      body: { code: 'unknown-experiment' },
    });
  });

  it('asks about states of older versions in which points were decided', async () => {
    const { asked } = loans.states;
    await post('machines', { ...loans, initialState: 'received', states: { received: asked, closed: {} } });
    const older = { ...points, states: ['asked', 'received'] };
    const estimate = await server.post('/v1/experiments', {
      points: older,
      variants: [generous],
      dryRun: true,
    });
    expect(estimate).toMatchObject({ status: 200, body: { points: 10 } });
  });
});
