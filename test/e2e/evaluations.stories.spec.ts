import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { httpError, type LlmScript, text } from '#lib/activities/testing';
import { Redial } from '#lib/engine';
import type { Evaluation } from '#lib/histories';
import type { SessionView } from '#lib/decisions/session';
import { barrier } from '../support/barrier.js';
import { houseRule, lenders, loans } from '../support/loans.js';
import { describeOnEachEngine } from '../support/places/describe-on-engines.js';
import { RedialServer } from '../support/redial-server.js';

/** Of ten people's decisions: six small ones, four large ones. Each amount is there once. */
const AMOUNTS = [10, 11, 12, 13, 14, 15, 500, 501, 502, 503];
const UNLUCKY = 13;

/** A model that approves everything, and is down when it is asked about one of the amounts. */
const script: LlmScript = ({ text: body }) => {
  if (body.includes(`Amount: ${UNLUCKY}.`)) return httpError(503, 'down');
  const decision = { transitionName: 'approve', toState: 'closed', reasoning: 'why not' };
  return text(decision, { usage: { prompt_tokens: 20, completion_tokens: 3 } });
};

const turnOf = (round: number) => (round % 3 === 0 ? 'left' : 'right');
/** Knows what a person would do from nothing but what happened before. */
const historian = ({ history }: { readonly history: readonly unknown[] }) => ({
  transitionName: turnOf(history.length),
});
const walk = {
  machineName: 'walk',
  initialState: 'crossing',
  goalState: 'home',
  states: {
    crossing: { transitions: { left: 'crossing', right: 'crossing', home: 'home' } },
    home: {},
  },
};

const model = { modelId: 'gpt-4o-mini', contextTemplate: 'Amount: {{metaJson.amount}}.' };

describeOnEachEngine('evaluations over HTTP', (emptyPlace) => {
  let server: RedialServer;
  let boss: { 'redial-actor-token': string };
  let sessions: readonly string[];
  let fourAtOnce: () => Promise<void>;

  /** The tests add no decisions to this machine: the decisions of people in it are these ten. */
  beforeAll(async () => {
    const sociable = async () => {
      await fourAtOnce();
      return { transitionName: 'approve', costUSD: 0.25 };
    };
    const options = { strategies: { ...lenders, sociable, historian } };
    server = await RedialServer.start({ place: await emptyPlace(), options, script });
    const defined = await server.post('/v1/machines', loans);
    const { actorTokens } = defined.body as { actorTokens: { boss: string } };
    boss = { 'redial-actor-token': actorTokens.boss };
    const taught: string[] = [];
    for (const amount of AMOUNTS) taught.push(await teach(amount));
    sessions = taught;
  });

  afterAll(() => server.stop());

  beforeEach(() => {
    fourAtOnce = barrier(4);
  });

  const post = async (path: string, body: object, headers: Record<string, string> = {}) =>
    (await server.post(`/v1/${path}`, body, headers)).body as Record<string, unknown>;
  const get = async (path: string) => (await server.get(`/v1/${path}`)).body as Record<string, unknown>;
  const sessionsNow = () =>
    Promise.all(sessions.map(async (id) => (await get(`sessions/${id}`)) as object as SessionView));

  async function ask(amount: number, machineName = 'loans'): Promise<string> {
    const { sessionId } = await post('sessions', { machineName, metaJson: { amount } });
    return sessionId as string;
  }

  async function teach(amount: number): Promise<string> {
    const sessionId = await ask(amount);
    const forced = { specialistId: 'boss', transitionName: houseRule(amount) };
    const answer = await post(`sessions/${sessionId}/arbitrations`, forced, boss);
    expect(answer).toMatchObject({ executed: true });
    return sessionId;
  }

  const register = (specialistId: string, over: object) =>
    post('specialists', { role: 'proposer', specialistId, machineName: 'loans', ...over });

  async function evaluate(specialistId: string, body: object, headers: Record<string, string> = {}) {
    const path = `/v1/specialists/${specialistId}/evaluations`;
    const response = await server.post(path, { against: 'exemplars', ...body }, headers);
    expect([response.status, response.status === 201 || response.body]).toEqual([201, true]);
    return response.body as Evaluation;
  }

  it('0.2-O13: leaves out rounds of states in which the specialist takes no part, unless all are asked for', async () => {
    const by = (specialistId: string, strategyFnName: string) => ({
      role: 'proposer',
      specialistId,
      strategyFnName,
    });
    const states = {
      first: { transitions: { next: 'second' }, specialists: [by('opener', 'firstAvailable')] },
      second: { transitions: { next: 'over' } },
      over: {},
    };
    const specialists = [
      by('closer', 'firstAvailable'),
      { role: 'arbiter', specialistId: 'any', strategyFnName: 'firstProposal' },
    ];
    const stages = { machineName: 'stages', initialState: 'first', goalState: 'over', specialists, states };
    expect((await server.post('/v1/machines', stages)).status).toBe(201);
    const { sessionId } = await post('sessions', { machineName: 'stages' });
    expect(await post(`sessions/${sessionId as string}/run`, {})).toMatchObject({ status: 'done' });
    const ask = { against: 'decisions' };
    expect(await evaluate('opener', ask)).toMatchObject({ rounds: 1, matchingChoices: 1 });
    expect(await evaluate('closer', ask)).toMatchObject({ rounds: 1, matchingChoices: 1 });
    expect(await evaluate('closer', { ...ask, allStates: true })).toMatchObject({ rounds: 2 });
  });

  it('asks a new specialist about decisions of people, and does not change the sessions', async () => {
    const before = await sessionsNow();
    await register('newcomer', { strategyFnName: 'prudent' });
    const evaluation = await evaluate('newcomer', {});
    expect(evaluation).toEqual({
      evaluationId: expect.any(String),
      specialistId: 'newcomer',
      specialistVersion: 1,
      specialistMachine: 'loans',
      machineName: 'loans',
      against: 'exemplars',
      status: 'completed',
      startedAt: expect.any(String),
      completedAt: expect.any(String),
      rounds: 10,
      matchingChoices: 10,
      transitionRate: 1,
      stateRate: 1,
      alignmentScore: expect.closeTo(10 / 13.8416, 10),
      totalCostUSD: null,
      meanLatencyMsec: expect.any(Number),
      numInputTokens: null,
      numOutputTokens: null,
      failures: 0,
      samples: expect.any(Array),
    });
    expect(evaluation.samples.map(({ sessionId }) => sessionId)).toEqual(sessions.toReversed());
    expect(evaluation.samples[0]).toEqual({
      sampleId: expect.any(String),
      sessionId: sessions.at(-1),
      roundId: expect.any(String),
      state: 'asked',
      transitionName: 'reject',
      toState: 'closed',
      solicitationId: expect.any(String),
      answer: {
        transitionName: 'reject',
        toState: 'closed',
        matches: true,
        latencyMsec: expect.any(Number),
      },
    });
    const { evaluationId, samples: _, ...summary } = evaluation;
    expect(await get(`evaluations/${evaluationId}`)).toEqual(evaluation);
    expect(await get('specialists/newcomer/evaluations')).toEqual({
      items: [{ evaluationId, ...summary }],
      nextCursor: null,
    });
    expect(await sessionsNow()).toEqual(before);
    expect((await server.get(`/v1/sessions/${evaluationId}`)).status).toBe(404);
    expect((await server.get(`/v1/sessions/${evaluationId}/events`)).status).toBe(404);
    expect(await get('specialists/newcomer')).toMatchObject({ alignment: [] });
    await expectIdentical(evaluationId, 12);
  });

  async function expectIdentical(evaluationId: string, streamsChecked: number): Promise<void> {
    const replayed = await server.post(`/v1/evaluations/${evaluationId}/replay`);
    const report = { evaluationId, identical: true, streamsChecked, open: 0, divergences: [] };
    expect([replayed.status, replayed.body]).toEqual([200, expect.objectContaining(report)]);
    for (const sessionId of sessions)
      expect(await post(`sessions/${sessionId}/replay`, {})).toMatchObject({ identical: true });
  }

  it('asks a model with what was known then, counts a call that fails, and calls nobody again for a repeated key', async () => {
    await register('apprentice', model);
    const key = { 'idempotency-key': 'once' };
    const evaluation = await evaluate('apprentice', {}, key);
    expect(evaluation).toMatchObject({
      rounds: 10,
      matchingChoices: 5,
      transitionRate: 0.5,
      stateRate: 0.9,
      failures: 1,
      numInputTokens: 180,
      numOutputTokens: 27,
    });
    const [failed, ...others] = evaluation.samples.filter(({ answer }) => answer?.failure);
    expect(others).toEqual([]);
    expect(failed).toMatchObject({
      sessionId: sessions[AMOUNTS.indexOf(UNLUCKY)],
      answer: { matches: false, failure: { kind: 'http-error', upstreamStatus: 503 } },
    });
    expect(server.llm.requests).toHaveLength(10);
    const { evaluationId } = evaluation;
    const calls = await get(`llm-calls?sessionId=${evaluationId}`);
    expect(calls['items']).toHaveLength(10);
    expect(await get(`sessions/${sessions[0]}/llm-calls`)).toMatchObject({ items: [] });
    const head = await server.head();
    expect(await evaluate('apprentice', {}, key)).toEqual(evaluation);
    expect(server.llm.requests).toHaveLength(10);
    expect(await server.head()).toBe(head);
    const other = await server.post(
      '/v1/specialists/apprentice/evaluations',
      { against: 'exemplars', maxRounds: 3 },
      key,
    );
    expect(other).toMatchObject({ status: 422, body: { code: 'idempotency-key-reused' } });
    await expectIdentical(evaluationId, 12);
  });

  it('asks about the last rounds alone, four at the same time, also a disabled specialist', async () => {
    await register('friend', { strategyFnName: 'sociable' });
    await post('specialists/friend/disable', {});
    const evaluation = await evaluate('friend', { maxRounds: 4 });
    expect(evaluation).toMatchObject({ rounds: 4, matchingChoices: 0, stateRate: 1, totalCostUSD: 1 });
    expect(evaluation.samples.map(({ sessionId }) => sessionId)).toEqual(sessions.slice(-4).toReversed());
  });

  it('tells what was known in each of many rounds of one session', async () => {
    await post('machines', walk);
    await register('walker', { machineName: 'walk', isHuman: true });
    await register('guide', { machineName: 'walk', strategyFnName: 'historian' });
    const redial = server.app.get(Redial);
    const { sessionId } = await redial.createSession({ machineName: 'walk' });
    for (let round = 0; round < 30; round++) {
      const forced = { specialistId: 'walker', transitionName: turnOf(round) };
      await redial.submitArbitration({ sessionId, ...forced });
    }
    const evaluation = await evaluate('guide', {});
    expect(evaluation).toMatchObject({ rounds: 30, matchingChoices: 30, failures: 0 });
    await expectIdentical(evaluation.evaluationId, 32);
  });

  it('compares with what arbiters decided too, and never with what an operator executed', async () => {
    const quick = { ...loans, machineName: 'quick', specialists: [] };
    await post('machines', quick);
    await register('eager', { machineName: 'quick', strategyFnName: 'generous' });
    const judge = { role: 'arbiter', specialistId: 'first', strategyFnName: 'firstProposal' };
    await post('specialists', { ...judge, machineName: 'quick' });
    const agreed = await ask(500, 'quick');
    expect(await post(`sessions/${agreed}/run`, {})).toMatchObject({ status: 'done' });
    const executed = await ask(500, 'quick');
    const byHand = { transitionName: 'reject', toState: 'closed' };
    expect(await post(`sessions/${executed}/transitions`, byHand)).toMatchObject({ status: 'done' });
    await register('stranger', { strategyFnName: 'prudent' });
    const against = { machineName: 'quick', against: 'decisions' };
    expect(await evaluate('stranger', against)).toMatchObject({
      machineName: 'quick',
      rounds: 1,
      transitionRate: 0,
      stateRate: 1,
      samples: [{ sessionId: agreed, transitionName: 'approve', answer: { transitionName: 'reject' } }],
    });
    expect(await evaluate('stranger', { machineName: 'quick' })).toMatchObject({
      status: 'completed',
      rounds: 0,
      transitionRate: null,
      alignmentScore: 0,
      samples: [],
    });
  });

  it('compares what was proposed then without asking anybody, and writes nothing', async () => {
    const bold = { role: 'proposer', specialistId: 'bold', strategyFnName: 'generous' };
    const person = { role: 'proposer', specialistId: 'boss', isHuman: true };
    await post('machines', { ...loans, machineName: 'desk', specialists: [bold, person] });
    const taken = await ask(900, 'desk');
    await post(`sessions/${taken}/proposals`, { specialistId: 'bold' });
    await post(`sessions/${taken}/arbitrations`, { specialistId: 'boss', transitionName: 'reject' }, boss);
    const head = await server.head();
    const looked = await server.post('/v1/specialists/bold/evaluations', { against: 'record' });
    expect([looked.status, looked.body]).toEqual([
      200,
      {
        specialistId: 'bold',
        machineName: 'desk',
        against: 'record',
        rounds: 1,
        matchingChoices: 0,
        transitionRate: 0,
        stateRate: 1,
        alignmentScore: 0,
        totalCostUSD: null,
        meanLatencyMsec: expect.any(Number),
      },
    ]);
    expect(await server.head()).toBe(head);
    expect(await get('specialists/bold/evaluations')).toEqual({ items: [], nextCursor: null });
  });

  it('says what it cannot do before anything is written', async () => {
    await register('novice', model);
    const head = await server.head();
    const refused: readonly (readonly [string, object, number, string])[] = [
      ['nobody', {}, 404, 'unknown-specialist'],
      ['nobody', { against: 'record' }, 404, 'unknown-specialist'],
      ['novice', { machineName: 'nobody' }, 404, 'unknown-machine'],
      ['novice', { machineName: 'nobody', against: 'record' }, 404, 'unknown-machine'],
      ['boss', { machineName: 'loans' }, 422, 'wrong-specialist'],
      ['judge', {}, 422, 'wrong-specialist'],
      ['novice', { against: 'everything' }, 400, 'malformed-request'],
      ['novice', { maxRounds: 0 }, 400, 'malformed-request'],
      ['novice', { maxRounds: 501 }, 400, 'malformed-request'],
      ['novice', { maxRounds: '5' }, 400, 'malformed-request'],
      ['novice', { more: 1 }, 400, 'malformed-request'],
    ];
    for (const [specialistId, body, status, code] of refused) {
      const path = `/v1/specialists/${specialistId}/evaluations`;
      const answer = await server.post(path, { against: 'exemplars', ...body });
      expect([body, answer.status, answer.body]).toEqual([body, status, expect.objectContaining({ code })]);
    }
    expect(await server.head()).toBe(head);
    for (const id of ['x', '00000000-0000-4000-8000-000000000000']) {
      expect(await server.get(`/v1/evaluations/${id}`)).toMatchObject({ status: 404 });
      expect(await server.post(`/v1/evaluations/${id}/replay`)).toMatchObject({
        status: 404,
        body: { code: 'unknown-evaluation' },
      });
    }
  });
});
