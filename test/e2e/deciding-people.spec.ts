import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Redial } from '#lib/engine';
import { API_TOKEN, RedialServer } from '../support/redial-server.js';

const proposer = { role: 'proposer' as const, strategyFnName: 'firstAvailable' };
const machine = (machineName: string, people: object, humans: readonly object[] = []) => ({
  machineName,
  initialState: 'asked',
  goalState: 'paid',
  people,
  states: { asked: { transitions: { pay: 'paid', decline: 'declined' } }, paid: {}, declined: {} },
  specialists: [
    { ...proposer, specialistId: 'clerk' },
    { ...proposer, specialistId: 'helper' },
    { role: 'arbiter', specialistId: 'judge', strategyFnName: 'firstProposal' },
    ...humans,
  ],
});
const buyers = { groups: ['buyers'] };
const pay = { transitionName: 'pay' };

describe('people who decide, by their own name', () => {
  let server: RedialServer;
  let redial: Redial;
  const tokens: Record<string, { readonly Authorization: string }> = {};
  const operator = { Authorization: `Bearer ${API_TOKEN}` };

  beforeAll(async () => {
    server = await RedialServer.start({ environment: { REDIAL_API_TOKEN: API_TOKEN } });
    redial = server.app.get(Redial);
    for (const [personId, groups] of [
      ['ann', ['buyers']],
      ['bob', []],
      ['eve', []],
    ] as const) {
      const { token } = await redial.registerPerson({ personId, role: 'reviewer', groups });
      tokens[personId] = { Authorization: `Bearer ${String(token)}` };
    }
    const chair = { role: 'proposer', specialistId: 'chair', isHuman: true, personId: 'ann' };
    for (const one of [
      machine('payments', buyers),
      machine('apart', { ...buyers, exclude: ['proposers'] }),
      machine('chaired', buyers, [chair]),
      machine('created', { exclude: ['creator'] }, [chair]),
    ])
      expect((await server.post('/v1/machines', one, operator)).status).toBe(201);
  });
  afterAll(() => server.stop());

  async function session(machineName: string): Promise<string> {
    return (await redial.createSession({ machineName })).sessionId;
  }
  const stated = (sessionId: string, specialistId: string, as: object) =>
    server.post(`/v1/sessions/${sessionId}/proposals`, { specialistId, ...pay }, { ...as });
  const arbitrate = (sessionId: string, body: object, as: object = operator) =>
    server.post(`/v1/sessions/${sessionId}/arbitrations`, body, { ...as });
  const refused = (status: number, code: string) => ({ status, body: { code } });

  it('decide nothing by proposals that they state as models: no arbiter weighs these', async () => {
    const sessionId = await session('payments');
    for (const specialistId of ['clerk', 'helper'])
      expect(await stated(sessionId, specialistId, tokens['eve'] ?? {})).toMatchObject({ status: 201 });
    expect((await arbitrate(sessionId, {})).body).toMatchObject({ executed: false });
    expect(await redial.runSession({ sessionId })).toMatchObject({ status: 'needs_human', history: [] });
    const { items } = await redial.listSessionEvents({ sessionId });
    const proposals = items.filter(({ type }) => type === 'ProposalSubmitted');
    expect(proposals.map(({ data }) => data)).toMatchObject([{ by: 'eve' }, { by: 'eve' }]);
    const programs = await session('payments');
    await stated(programs, 'clerk', operator);
    expect((await arbitrate(programs, {})).body).toMatchObject({ executed: true, decidedBy: 'judge' });
  });

  it('are excluded as proposers by what they stated as a model', async () => {
    const sessionId = await session('apart');
    await stated(sessionId, 'clerk', tokens['ann'] ?? {});
    expect(await arbitrate(sessionId, pay, tokens['ann'])).toMatchObject(refused(403, 'excluded'));
  });

  it('need no specialist of the machine, and decide as the one that they have', async () => {
    const sessionId = await session('payments');
    expect(await arbitrate(sessionId, pay)).toMatchObject(refused(403, 'not-a-person'));
    expect(await arbitrate(sessionId, pay, tokens['eve'])).toMatchObject(refused(403, 'not-a-candidate'));
    const decided = { executed: true, isHuman: true };
    expect((await arbitrate(sessionId, pay, tokens['ann'])).body).toMatchObject({
      ...decided,
      decidedBy: 'ann',
    });
    const chaired = await session('chaired');
    expect((await arbitrate(chaired, pay, tokens['ann'])).body).toMatchObject({
      ...decided,
      decidedBy: 'chair',
      specialistId: 'chair',
    });
    for (const id of [sessionId, chaired]) {
      const { items } = await redial.listSessionEvents({ sessionId: id });
      expect(items.at(-1)?.data).toMatchObject({ by: 'ann' });
      expect(await redial.replaySession({ sessionId: id })).toMatchObject({ identical: true });
    }
  });

  it('named by code of the process do not act as a human who is another person, as at every door', async () => {
    const sessionId = await session('chaired');
    const decision = { sessionId, specialistId: 'chair', ...pay };
    await expect(redial.submitArbitration(decision, { actor: 'bob' })).rejects.toMatchObject({
      rejection: { code: 'not-that-human' },
    });
    expect(await redial.submitArbitration(decision, { actor: 'a-worker' })).toMatchObject({ executed: true });
    const { items } = await redial.listSessionEvents({ sessionId });
    expect(items.at(-1)?.data).toMatchObject({ by: 'ann' });
  });

  it('are registered, or humans of the machine that came with a session: another name creates no session for them', async () => {
    const asked = { machineName: 'created' };
    await expect(redial.createSession(asked, { actor: 'a-worker' })).rejects.toMatchObject({
      rejection: { code: 'creator-unknown' },
    });
    const { sessionId } = await redial.createSession(asked, { actor: 'ann' });
    const asChair = { specialistId: 'chair', ...pay };
    expect(await arbitrate(sessionId, asChair, tokens['ann'])).toMatchObject(refused(403, 'excluded'));
  });
});
