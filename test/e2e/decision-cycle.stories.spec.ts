import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { houseRule, lenders, loans } from '../support/loans.js';
import { describeOnEachEngine } from '../support/places/describe-on-engines.js';
import { RedialServer } from '../support/redial-server.js';

interface Answered {
  readonly sessionId: string;
  readonly currentRoundId: string;
}

describeOnEachEngine('the decision cycle over HTTP', (emptyPlace) => {
  let server: RedialServer;
  let boss: { 'redial-actor-token': string };

  beforeEach(async () => {
    server = await RedialServer.start({ place: await emptyPlace(), options: { strategies: lenders } });
    const defined = await server.post('/v1/machines', loans);
    const { actorTokens } = defined.body as { actorTokens: { boss: string } };
    boss = { 'redial-actor-token': actorTokens.boss };
  });

  afterEach(() => server.stop());

  async function ask(amount: number): Promise<Answered> {
    const { body } = await server.post('/v1/sessions', { machineName: 'loans', metaJson: { amount } });
    return body as Answered;
  }

  async function post(
    path: string,
    body: object = {},
    headers: Record<string, string> = {},
  ): Promise<unknown> {
    const response = await server.post(`/v1/${path}`, body, headers);
    expect([path, response.status, response.status === 200 || response.body]).toEqual([path, 200, true]);
    return response.body;
  }

  const tick = (sessionId: string) => post(`sessions/${sessionId}/tick`);
  const decide = (sessionId: string, transitionName: string, over: object = {}) =>
    post(`sessions/${sessionId}/arbitrations`, { specialistId: 'boss', transitionName, ...over }, boss);

  async function teach(amount: number): Promise<void> {
    const { sessionId } = await ask(amount);
    for (const specialistId of ['prudent', 'generous'])
      await server.post(`/v1/sessions/${sessionId}/proposals`, { specialistId });
    await decide(sessionId, houseRule(amount));
  }

  it('collapses step by step: a person first, then the champion alone, then everybody again once it errs', async () => {
    const first = await ask(10);
    expect(await tick(first.sessionId)).toMatchObject({ status: 'solicited', specialistId: 'generous' });
    expect(await tick(first.sessionId)).toMatchObject({ status: 'solicited', specialistId: 'prudent' });
    expect(await tick(first.sessionId)).toMatchObject({ status: 'needs_human', currentState: 'asked' });
    expect((await server.get(`/v1/sessions/${first.sessionId}`)).body).toMatchObject({
      status: 'needs_human',
    });
    expect(await decide(first.sessionId, 'approve')).toMatchObject({ executed: true, isHuman: true });
    expect(await tick(first.sessionId)).toBeNull();

    // 1 of 1, then 16 of 16 for the prudent one: from there on it is a champion.
    for (let round = 1; round < 16; round++) await teach(round % 2 === 0 ? 10 : 500);
    const leading = await ask(900);
    expect(await tick(leading.sessionId)).toMatchObject({ status: 'solicited', specialistId: 'prudent' });
    expect(await tick(leading.sessionId)).toMatchObject({
      status: 'advanced',
      specialistId: 'prudent',
      transitionName: 'reject',
      previousState: 'asked',
      currentState: 'closed',
    });

    await post('specialists/generous/disable');
    const alone = await ask(20);
    expect(await tick(alone.sessionId)).toMatchObject({ status: 'advanced', specialistId: 'prudent' });

    const wrong = await ask(50);
    await server.post(`/v1/sessions/${wrong.sessionId}/proposals`, { specialistId: 'prudent' });
    expect(await decide(wrong.sessionId, 'reject')).toMatchObject({ executed: true });
    const everybody = await server.get('/v1/specialists/generous');
    expect(everybody.body).toMatchObject({ enabled: true });
    const after = await ask(30);
    expect(await tick(after.sessionId)).toMatchObject({ status: 'solicited', specialistId: 'generous' });

    for (const { sessionId } of [first, leading, alone, wrong, after]) {
      const replayed = await server.post(`/v1/sessions/${sessionId}/replay`);
      expect(replayed.body).toMatchObject({ identical: true });
    }
  });

  it('shows the deciders, the trusted specialists and the rounds that wait for a person', async () => {
    const get = async (path: string) => (await server.get(`/v1/${path}`)).body as Record<string, unknown>;
    await teach(500);
    const waiting = await ask(10);
    await post('specialists/judge/disable');
    await post(`sessions/${waiting.sessionId}/run`);
    expect(await get('inbox')).toMatchObject({
      items: [
        {
          sessionId: waiting.sessionId,
          reason: 'no-arbiter',
          proposals: [{ specialistId: 'generous' }, { specialistId: 'prudent' }],
        },
      ],
    });
    expect(await get('machines/loans/metrics')).toMatchObject({ humanDecisions: 1, collapseRatio: 0 });
    expect(await get('machines/loans/alignment?rule=ratio')).toMatchObject({
      items: [
        { specialistId: 'generous', matchingChoices: 0, totalComparisons: 1, alignmentScore: 0 },
        { specialistId: 'prudent', matchingChoices: 1, totalComparisons: 1, alignmentScore: 1 },
      ],
      rule: 'ratio',
    });
    expect(await get('machines/loans/decisions')).toMatchObject({
      items: [{ how: 'override', specialistId: 'boss', transitionName: 'reject', margin: null }],
    });
    expect(await get('machines/loans/exemplars')).toMatchObject({ items: [{ specialistId: 'boss' }] });
    expect(await get('specialists/prudent')).toMatchObject({
      alignment: [{ machineName: 'loans', matchingChoices: 1, totalComparisons: 1 }],
    });
    expect(await get('models')).toEqual({ items: [] });
    expect((await server.get('/v1/machines/loans/alignment?rule=best')).status).toBe(400);
  });

  it('answers what a guard holds back with 200 and why', async () => {
    const { sessionId, currentRoundId } = await ask(10);
    expect(await post(`sessions/${sessionId}/arbitrations`)).toMatchObject({
      guardsPass: false,
      executed: false,
      stale: false,
      roundId: currentRoundId,
    });
    expect(
      await post(`sessions/${sessionId}/arbitrations`, {
        specialistId: 'prudent',
        transitionName: 'approve',
      }),
    ).toMatchObject({ guardsPass: false, guardReason: 'Only human specialists can force arbitration' });
    const unoffered = { specialistId: 'boss', transitionName: 'vanish', roundId: currentRoundId };
    expect(await server.post(`/v1/sessions/${sessionId}/arbitrations`, unoffered, boss)).toMatchObject({
      status: 422,
      body: { code: 'unknown-transition' },
    });
    const another = { specialistId: 'boss', transitionName: 'approve', roundId: 'another' };
    expect(await server.post(`/v1/sessions/${sessionId}/arbitrations`, another, boss)).toMatchObject({
      status: 409,
      body: { code: 'unknown-round' },
    });
    expect(await decide(sessionId, 'approve')).toMatchObject({ guardsPass: true, executed: true });
    expect(await decide(sessionId, 'approve', { roundId: currentRoundId })).toMatchObject({ stale: true });
  });

  it('shows the consensus of a round without writing', async () => {
    const { sessionId } = await ask(10);
    await server.post(`/v1/sessions/${sessionId}/proposals`, { specialistId: 'prudent' });
    const head = await server.head();
    const { body } = await server.get(`/v1/sessions/${sessionId}/consensus`);
    expect(body).toMatchObject({ consensusReached: true, threshold: 0.4 });
    expect(await server.head()).toBe(head);
  });

  it('answers a repeated tick, run and arbitration as the first time, and writes nothing', async () => {
    const { sessionId } = await ask(10);
    const key = (name: string) => ({ 'idempotency-key': name });
    const ticked = await post(`sessions/${sessionId}/tick`, {}, key('t'));
    const run = await post(`sessions/${sessionId}/run`, {}, key('r'));
    const forced = { specialistId: 'boss', transitionName: 'approve' };
    const decided = await post(`sessions/${sessionId}/arbitrations`, forced, { ...boss, ...key('a') });
    const head = await server.head();
    expect(await post(`sessions/${sessionId}/tick`, {}, key('t'))).toEqual(ticked);
    expect(await post(`sessions/${sessionId}/run`, {}, key('r'))).toEqual(run);
    expect(await post(`sessions/${sessionId}/arbitrations`, forced, { ...boss, ...key('a') })).toEqual(
      decided,
    );
    expect(await server.head()).toBe(head);
  });

  it('D-45: runs a bare machine to its goal with a proposer and an arbiter of its own', async () => {
    const bare = {
      machineName: 'bare',
      initialState: 'a',
      goalState: 'c',
      states: { a: { transitions: { on: 'b' } }, b: { transitions: { on: 'c' } }, c: {} },
    };
    const { body } = await server.post('/v1/sessions', { machine: bare });
    const { sessionId } = body as Answered;
    expect(await post(`sessions/${sessionId}/run`)).toMatchObject({ currentState: 'c', status: 'done' });
    expect(await post('tick')).toEqual([]);
  });
});
