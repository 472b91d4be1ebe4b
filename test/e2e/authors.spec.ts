import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sessionDecider, type SessionEvent } from '#lib/decisions/session';
import { verifyDecisions } from '#lib/runs/runs/core';
import { ActivityRegistry, verifyRun } from '#lib/workflow';
import { API_TOKEN, RedialServer } from '../support/redial-server.js';
import { approval } from '../support/approval.workflow.js';

type Headers = Readonly<Record<string, string>>;

const machine = (machineName: string) => ({
  machineName,
  initialState: 'a',
  goalState: 'z',
  states: { a: { transitions: { go: 'z', back: 'a' } }, z: {} },
  specialists: [
    { role: 'proposer', specialistId: 'chair', isHuman: true, personId: 'ann' },
    { role: 'proposer', specialistId: 'guest', isHuman: true, personId: 'bob' },
    { role: 'proposer', specialistId: 'watcher', isHuman: true, personId: 'vic' },
  ],
});
const yes = { payload: { approved: true } };

describe('the author of what people decide', () => {
  const tokens: Record<string, string> = {};
  let guarded: RedialServer;
  let open: RedialServer;

  const operator = { Authorization: `Bearer ${API_TOKEN}` };
  const beside = (person: string): Headers => ({ 'Redial-Actor-Token': tokens[person] ?? '' });

  beforeAll(async () => {
    const options = { workflows: [approval] };
    guarded = await RedialServer.start({ environment: { REDIAL_API_TOKEN: API_TOKEN }, options });
    open = await RedialServer.start({ options });
    for (const [server, headers] of [
      [guarded, operator],
      [open, {}],
    ] as const)
      for (const [personId, role] of [
        ['ann', 'reviewer'],
        ['bob', 'reviewer'],
        ['vic', 'viewer'],
      ] as const) {
        const made = await server.post('/v1/people', { personId, role }, headers);
        tokens[`${server === open ? 'open ' : ''}${personId}`] = (made.body as { token: string }).token;
      }
    await guarded.post('/v1/machines', machine('m'), operator);
    await open.post('/v1/machines', machine('m'));
  });
  afterAll(async () => {
    await open.stop();
    await guarded.stop();
  });

  async function waitingRun(server: RedialServer, headers: Headers = {}): Promise<string> {
    const start = { workflow: 'approval', input: { item: 'x' }, waitMs: 5_000 };
    return ((await server.post('/v1/runs', start, headers)).body as { runId: string }).runId;
  }

  async function newSession(server: RedialServer, headers: Headers = {}): Promise<string> {
    const made = await server.post('/v1/sessions', { machineName: 'm' }, headers);
    return (made.body as { sessionId: string }).sessionId;
  }

  async function lastSignal(server: RedialServer, runId: string, headers: Headers = {}) {
    const { body } = await server.get(`/v1/runs/${runId}/events`, headers);
    const { items } = body as { items: readonly { type: string; data: object; metadata: object }[] };
    return items.findLast(({ type }) => type === 'SignalReceived');
  }

  const answered = (status: number, code?: string) => ({
    status,
    ...(code !== undefined && { body: { code } }),
  });

  it('0.2-H1: is the principal of the request, and a body that names another one is refused before anything is looked up', async () => {
    const runId = await waitingRun(guarded, operator);
    const signal = (body: object, headers: Headers, id = runId) =>
      guarded.post(`/v1/runs/${id}/signals/approval`, body, headers);
    const ann = { Authorization: `Bearer ${tokens['ann']}` };
    const nowhere = '00000000-0000-5000-8000-000000000000';
    const head = await guarded.head();
    for (const body of [
      { payload: { approved: true, by: 'the-ceo' } },
      { ...yes, by: 'the-ceo' },
      { payload: { approved: true, by: 5 } },
      { ...yes, actAs: 'bob' },
      { ...yes, actAs: 'ann' },
    ])
      for (const id of [runId, nowhere])
        expect(await signal(body, ann, id)).toMatchObject(answered(422, 'not-the-author'));
    expect(await signal({ ...yes, by: 'operator' }, { ...operator, ...beside('ann') })).toMatchObject(
      answered(422, 'not-the-author'),
    );
    expect(await guarded.head()).toBe(head);
    expect(await signal({ payload: { approved: true, by: 'ann' }, by: 'ann' }, ann)).toMatchObject(
      answered(200),
    );
    expect(await lastSignal(guarded, runId, operator)).toMatchObject({
      data: { payload: { approved: true }, by: 'ann' },
      metadata: { actor: 'ann' },
    });
    const other = await waitingRun(guarded, operator);
    await signal(yes, operator, other);
    expect((await lastSignal(guarded, other, operator))?.data).toMatchObject({ by: 'operator' });
  });

  it('is the caller also of a call that has a body and changes nothing', async () => {
    const session = `/v1/sessions/${await newSession(guarded, operator)}`;
    for (const [path, body] of [
      ['/v1/machines/m/simulations', {}],
      ['/v1/machines/prove', { machineName: 'm' }],
      [`${session}/replay`, {}],
    ] as const) {
      const asked = (by: string) => guarded.post(path, { ...body, by }, operator);
      expect(await asked('ann')).toMatchObject(answered(422, 'not-the-author'));
      expect(await asked('operator')).toMatchObject(answered(200));
    }
  });

  it('0.2-H1: is the person whom `actAs` names on a server without a token, who is registered and no viewer', async () => {
    const runId = await waitingRun(open);
    const signal = (body: object, headers: Headers = {}) =>
      open.post(`/v1/runs/${runId}/signals/approval`, body, headers);
    for (const [actAs, status, code] of [
      ['nobody', 422, 'unknown-person'],
      ['vic', 403, 'role'],
      [5, 400, 'malformed-request'],
    ] as const)
      expect(await signal({ ...yes, actAs })).toMatchObject(answered(status, code));
    expect(await signal({ ...yes, actAs: 'ann', by: 'bob' })).toMatchObject(answered(422, 'not-the-author'));
    expect(await signal({ ...yes, actAs: 'ann' }, beside('open bob'))).toMatchObject(
      answered(422, 'not-the-author'),
    );
    const unknown = await open.post('/v1/sessions', { machineName: 'm', actAs: 'ann' });
    expect(unknown).toMatchObject(answered(400, 'malformed-request'));
    expect(await signal({ ...yes, actAs: 'ann', by: 'ann' })).toMatchObject(answered(200));
    expect(await lastSignal(open, runId)).toMatchObject({
      data: { by: 'ann' },
      metadata: { actor: 'operator' },
    });
  });

  it('0.2-H1: is recorded with decisions, and `specialistId` names a role and no author', async () => {
    const decide = (sessionId: string, body: object, headers: Headers) =>
      guarded.post(`/v1/sessions/${sessionId}/arbitrations`, { transitionName: 'go', ...body }, headers);
    const sessionId = await newSession(guarded, operator);
    const ann = { ...operator, ...beside('ann') };
    for (const headers of [operator, { ...operator, ...beside('bob') }])
      expect(await decide(sessionId, { specialistId: 'chair' }, headers)).toMatchObject(
        answered(403, 'not-that-human'),
      );
    expect((await decide(sessionId, { specialistId: 'chair' }, ann)).body).toMatchObject({ executed: true });
    const { items } = (await guarded.get(`/v1/sessions/${sessionId}/events`, operator)).body as {
      items: readonly object[];
    };
    expect(items.slice(-2)).toMatchObject([
      {
        type: 'HumanOverrideAccepted',
        data: { specialistId: 'chair', by: 'ann' },
        metadata: { actor: 'ann' },
      },
      { type: 'TransitionExecuted', data: { decidedBy: 'chair', by: 'ann' } },
    ]);
    expect((await guarded.post(`/v1/sessions/${sessionId}/replay`, {}, operator)).body).toMatchObject({
      identical: true,
    });
  });

  it('is recorded with each question to a proposer that a person has asked, and a replay finds another one', async () => {
    const specialists = [{ role: 'proposer', specialistId: 'rule', strategyFnName: 'firstAvailable' }];
    await guarded.post('/v1/machines', { ...machine('ruled'), specialists }, operator);
    const ann = { ...operator, ...beside('ann') };
    const asked = async (path: string, body: object, headers: Headers) => {
      const made = await guarded.post('/v1/sessions', { machineName: 'ruled' }, operator);
      const { sessionId } = made.body as { sessionId: string };
      await guarded.post(`/v1/sessions/${sessionId}/${path}`, body, headers);
      const stream = guarded.log.streams.of('session', sessionId);
      return guarded.log.readStream<SessionEvent>(stream);
    };
    const byOf = (events: readonly SessionEvent[]) =>
      events.flatMap((event) => (event.type === 'ProposalSolicited' ? [event.data.by] : []));
    for (const [path, body] of [
      ['proposals', { specialistId: 'rule' }],
      ['tick', {}],
      ['run', {}],
    ] as const) {
      expect(byOf(await asked(path, body, operator))).toEqual([undefined]);
      const events = await asked(path, body, ann);
      expect(byOf(events)).toEqual(['ann']);
      expect(verifyDecisions(sessionDecider, events).divergence).toBeUndefined();
      const forged = events.map((event) =>
        event.type === 'ProposalSolicited' ? { ...event, data: { ...event.data, by: 'bob' } } : event,
      );
      expect(verifyDecisions(sessionDecider, forged).divergence).toMatchObject({ pointer: '/eventId' });
    }
  });

  it('0.2-H5: a person who was deleted, or is a viewer, acts nowhere, by no token and in no name', async () => {
    const decide = async (body: object, headers: Headers = {}) => {
      const sessionId = await newSession(open);
      return open.post(`/v1/sessions/${sessionId}/arbitrations`, { transitionName: 'go', ...body }, headers);
    };
    expect(await decide({ specialistId: 'watcher' })).toMatchObject(answered(403, 'role'));
    expect((await decide({ specialistId: 'guest' })).body).toMatchObject({ executed: true });
    expect((await decide({ specialistId: 'guest', actAs: 'ann' })).body).toMatchObject({
      code: 'not-that-human',
    });
    await open.http.delete('/v1/people/bob');
    const proposal = { specialistId: 'guest', transitionName: 'go' };
    const sessionId = await newSession(open);
    const proposed = await open.post(`/v1/sessions/${sessionId}/proposals`, proposal);
    expect(proposed).toMatchObject(answered(422, 'unknown-person'));
    for (const body of [{ specialistId: 'guest' }, { specialistId: 'guest', actAs: 'bob' }])
      expect(await decide(body)).toMatchObject(answered(422, 'unknown-person'));
    expect(await decide({ specialistId: 'guest' }, beside('open bob'))).toMatchObject(
      answered(401, 'unauthorized'),
    );
  });

  it('0.2-H5: beside no server token an actor token gives the rights of its person, and a viewer stays one beside any token', async () => {
    const define = (server: RedialServer, headers: Headers) =>
      server.post('/v1/machines', machine('n'), headers);
    expect(await define(open, beside('open ann'))).toMatchObject(answered(403, 'role'));
    expect(await define(guarded, { ...operator, ...beside('vic') })).toMatchObject(answered(403, 'role'));
    expect(await define(guarded, { ...operator, ...beside('ann') })).toMatchObject(answered(201));
  });

  it('0.2-H1: a replay finds the author of a signal who was changed, or taken away', async () => {
    const runId = await waitingRun(open);
    await open.post(`/v1/runs/${runId}/signals/approval`, { ...yes, actAs: 'ann' });
    const events = await open.log.readStream(open.log.streams.of('approval', runId));
    const activities = new ActivityRegistry([]);
    expect(verifyRun(approval, activities, events).divergence).toBeUndefined();
    for (const by of ['bob', undefined]) {
      const forged = events.map((event) =>
        event.type === 'SignalReceived' ? { ...event, data: { ...event.data, by } } : event,
      );
      expect(verifyRun(approval, activities, forged).divergence).toMatchObject({
        pointer: '/data/by',
        recorded: by,
      });
    }
  });
});
