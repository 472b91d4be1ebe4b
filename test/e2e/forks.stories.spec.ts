import { afterEach, expect, it } from '@jest/globals';
import type { LlmScript } from '#lib/activities/testing';
import { Redial, type RedialOptions } from '#lib/engine';
import type { Json } from '#lib/kernel';
import type { Rules } from '#lib/workflow';
import { describeOnEachEngine } from '../support/places/describe-on-engines.js';
import { RedialServer } from '../support/redial-server.js';
import { reviewedRefunds, said } from '../support/reviewed-refunds.js';
import { untilEvent } from '../support/until-event.js';

const machine = reviewedRefunds;

const REVIEW = said('review', 'review');
const APPROVE = said('approve', 'closed');
const BACK = said('back', 'triage');

describeOnEachEngine('a fork of a session', (emptyPlace) => {
  let server: RedialServer;
  let redial: Redial;

  async function begin(script: LlmScript, options: RedialOptions = {}): Promise<void> {
    server = await RedialServer.start({ place: await emptyPlace(), script, options });
    redial = server.app.get(Redial);
    await redial.defineMachine(machine);
  }
  afterEach(() => server.stop());

  const eventsOf = async (sessionId: string) =>
    (await redial.listSessionEvents({ sessionId, limit: 500 })).items.filter(({ stream }) =>
      stream.endsWith(sessionId),
    );
  async function decided(): Promise<{ sessionId: string; revision: number }> {
    const { sessionId } = await redial.createSession({
      machineName: 'refunds',
      metaJson: { text: 'broken' },
    });
    await redial.submitProposal({ sessionId, specialistId: 'clerk' });
    await redial.submitArbitration({ sessionId });
    const { revision } = await redial.getSession({ sessionId });
    return { sessionId, revision };
  }

  it('goes on from a past revision under what it overrides, and its parent is untouched', async () => {
    await begin([REVIEW, APPROVE, BACK]);
    const { sessionId, revision } = await decided();
    await redial.submitProposal({ sessionId, specialistId: 'clerk' });
    await redial.submitArbitration({ sessionId });
    const parent = await redial.getSession({ sessionId });
    expect(parent).toMatchObject({ status: 'done', history: [{}, { transitionName: 'approve' }] });

    const overrides = {
      metaJson: { text: 'stolen' },
      specialists: { clerk: { modelId: 'gpt-4o[tools=no]', contextTemplate: 'A {{metaJson.text}} cup' } },
    };
    const fork = await redial.forkSession({ sessionId, atRevision: revision, overrides, reason: 'What if?' });
    expect(fork).toMatchObject({
      currentState: 'review',
      status: 'open',
      metaJson: { text: 'stolen' },
      forkedFrom: { sessionId, revision, by: 'operator', reason: 'What if?' },
      history: [parent.history[0]],
    });
    await redial.submitProposal({ sessionId: fork.sessionId, specialistId: 'clerk' });
    await redial.submitArbitration({ sessionId: fork.sessionId });
    expect(await redial.getSession({ sessionId: fork.sessionId })).toMatchObject({
      currentState: 'triage',
      history: [{ transitionName: 'review' }, { transitionName: 'back' }],
    });
    const asked = server.llm.requests.at(-1)?.body as { model: string };
    expect(asked).toMatchObject({ model: 'gpt-4o' });
    expect(JSON.stringify(asked)).toContain('A stolen cup');
    expect(await redial.getSession({ sessionId })).toEqual(parent);
    expect(await redial.listSessions({ forkedFrom: sessionId })).toMatchObject({
      items: [{ sessionId: fork.sessionId, forkedFrom: { sessionId } }],
    });
    for (const id of [sessionId, fork.sessionId])
      expect(await redial.replaySession({ sessionId: id })).toMatchObject({
        identical: true,
        divergences: [],
      });
  });

  it('has the events of its parent at the same revisions, flagged as copied, and the calls that it names', async () => {
    await begin([REVIEW]);
    const { sessionId, revision } = await decided();
    const fork = await redial.forkSession({ sessionId, atRevision: revision });
    const [copies, own] = [await eventsOf(fork.sessionId), await eventsOf(sessionId)];
    expect(copies.slice(1, -1).map(({ type, data, revision: at }) => [type, data, at])).toEqual(
      own.slice(1, revision + 1).map(({ type, data, revision: at }) => [type, data, at]),
    );
    expect(copies.map(({ metadata }) => metadata.copied)).toEqual([...own.map(() => true), undefined]);
    expect(copies.at(-1)).toMatchObject({ type: 'SessionForked', data: { effects: 'hold' } });
    expect(copies[0]).toMatchObject({
      schemaVersion: 3,
      data: { sessionId: fork.sessionId, forkedFrom: { stream: `session-${sessionId}`, revision } },
    });
    const why = await redial.whySession({ sessionId: fork.sessionId });
    expect(why.nodes.map(({ type }) => type)).toContain('LlmCallCompleted');
    expect((await redial.listProposals({ sessionId: fork.sessionId })).items).toMatchObject([
      { status: 'won' },
    ]);
  });

  it('asks again what was under way where it was forked', async () => {
    await begin([REVIEW, said('deny', 'closed')]);
    const { sessionId } = await decided();
    const asked = (await eventsOf(sessionId)).find(({ type }) => type === 'ProposalSolicited');
    const fork = await redial.forkSession({ sessionId, atRevision: asked?.revision ?? -1 });
    const { position } = await untilEvent(
      server.log,
      ({ stream, type, metadata }) =>
        stream.endsWith(fork.sessionId) && type === 'ProposalSubmitted' && !metadata.copied,
    );
    const { body } = await server.get(`/v1/sessions/${fork.sessionId}/proposals?minPosition=${position}`);
    expect(body).toMatchObject({ items: [{ transitionName: 'deny', status: 'open' }] });
    expect(await redial.replaySession({ sessionId: fork.sessionId })).toMatchObject({
      identical: true,
      open: 0,
    });
  });

  it('is refused before anything is recorded where a model that it asks at once cannot be called', async () => {
    const locked = { baseUrl: 'http://127.0.0.1:9/v1', apiKeyEnv: 'REDIAL_TEST_NO_SUCH_KEY' };
    await begin([REVIEW], { providers: { locked } });
    const { sessionId, revision } = await decided();
    const asked = (await eventsOf(sessionId)).find(({ type }) => type === 'ProposalSolicited');
    const overrides = { specialists: { clerk: { modelId: 'locked/gpt-4o' } } };
    const fork = (atRevision: number | undefined) =>
      server.post(`/v1/sessions/${sessionId}/forks`, { atRevision, overrides });
    expect(await fork(asked?.revision)).toMatchObject({ status: 422, body: { code: 'configuration' } });
    expect((await redial.listSessions({ forkedFrom: sessionId })).items).toEqual([]);
    expect(await fork(revision)).toMatchObject({ status: 201 });
  });

  it('asks no model for a proposal that it may not ask: the override counts, not the registration', async () => {
    const locked = { baseUrl: 'http://127.0.0.1:9/v1', apiKeyEnv: 'REDIAL_TEST_NO_SUCH_KEY' };
    await begin([REVIEW], { providers: { locked } });
    const { sessionId, revision: atRevision } = await decided();
    const refusedWith = async (clerk: object) => {
      const fork = await server.post(`/v1/sessions/${sessionId}/forks`, {
        atRevision,
        overrides: { specialists: { clerk } },
      });
      const path = `/v1/sessions/${(fork.body as { sessionId: string }).sessionId}`;
      const { status, body } = await server.post(`${path}/proposals`, { specialistId: 'clerk' });
      const events = (await server.get(`${path}/events?limit=500`)).body as { items: { type: string }[] };
      return [status, (body as { code: string }).code, events.items.at(-1)?.type];
    };
    const unpriced = { modelId: 'gpt-4o[tools=no]', budget: { maxUSD: 1, per: 'session' } };
    expect(await refusedWith(unpriced)).toEqual([422, 'budget', 'SessionForked']);
    expect(await refusedWith({ modelId: 'locked/gpt-4o' })).toEqual([422, 'configuration', 'SessionForked']);
  });

  it('teaches nobody and counts nowhere: neither what was copied nor what is decided in it', async () => {
    await begin([REVIEW, REVIEW]);
    const { sessionId } = await decided();
    const decide = (id: string) =>
      redial.submitArbitration({
        sessionId: id,
        specialistId: 'boss',
        transitionName: 'approve',
        reasoning: 'Yes',
      });
    await redial.submitProposal({ sessionId, specialistId: 'boss', transitionName: 'back' });
    await decide(sessionId);
    const round = (await eventsOf(sessionId)).find((event) => event.type === 'ProposalSolicited')?.data as {
      roundId: string;
    };
    const counted = async () => ({
      exemplars: await redial.listExemplars({ machineName: 'refunds' }),
      decisions: (await server.get('/v1/machines/refunds/decisions')).body as object,
      collapse: (await server.get('/v1/machines/refunds/collapse')).body as object,
      clerk: await redial.getSpecialist({ specialistId: 'clerk' }),
      models: (await server.get('/v1/models')).body as object,
      round: (await server.get(`/v1/models?roundId=${round.roundId}`)).body as object,
    });
    const before = await counted();
    const { revision } = await redial.getSession({ sessionId });
    const whole = await redial.forkSession({ sessionId, atRevision: revision });
    const early = await redial.forkSession({ sessionId, atRevision: 0, effects: 'allow' });
    await redial.submitProposal({ sessionId: early.sessionId, specialistId: 'clerk' });
    const own = (await server.get(`/v1/models?sessionId=${early.sessionId}`)).body as object;
    expect(own).toMatchObject({ items: [{ calls: 1 }] });
    await redial.submitArbitration({
      sessionId: early.sessionId,
      specialistId: 'boss',
      transitionName: 'deny',
    });
    expect(whole).toMatchObject({ status: 'done' });
    expect(await redial.getSession({ sessionId: early.sessionId })).toMatchObject({ status: 'done' });
    expect(await counted()).toEqual(before);
  });

  it('can be forked again, with another machine, and after the definitions of its parent have changed', async () => {
    await begin([REVIEW]);
    const { sessionId, revision } = await decided();
    const first = await redial.forkSession({ sessionId, atRevision: revision });
    await redial.defineMachine({
      ...machine,
      states: { triage: { transitions: { close: 'closed' } }, closed: {} },
    });
    const states = { review: { transitions: { appeal: 'closed' } }, closed: {} };
    const other = { machineName: 'refunds', initialState: 'review', goalState: 'closed', states };
    const second = await redial.forkSession({
      sessionId: first.sessionId,
      atRevision: first.revision,
      overrides: { machine: other },
    });
    expect(second).toMatchObject({
      currentState: 'review',
      forkedFrom: { sessionId: first.sessionId, revision: first.revision },
      machine: { states: { review: { transitions: { appeal: {} } } } },
    });
    await redial.submitArbitration({
      sessionId: second.sessionId,
      specialistId: 'boss',
      transitionName: 'appeal',
    });
    expect(await redial.getSession({ sessionId: second.sessionId })).toMatchObject({ status: 'done' });
    expect(await redial.replaySession({ sessionId: second.sessionId })).toMatchObject({ identical: true });
    const gone = { ...other, initialState: 'closed', states: { closed: {} } };
    await expect(
      redial.forkSession({ sessionId, atRevision: revision, overrides: { machine: gone } }),
    ).rejects.toThrow(/StateGone|goal/);
  });

  it('is made once for each key, at the last event of a command alone, and by operators', async () => {
    await begin([REVIEW]);
    const { sessionId, revision } = await decided();
    const request = { sessionId, atRevision: revision };
    const key = { idempotencyKey: 'one fork' };
    const once = await redial.forkSession(request, key);
    expect(await redial.forkSession(request, key)).toEqual(once);
    const inside = await server.post(`/v1/sessions/${sessionId}/forks`, { atRevision: revision - 1 });
    expect(inside).toMatchObject({
      status: 422,
      body: { code: 'inside-append', before: revision - 2, after: revision },
    });
    const beyond = await server.post(`/v1/sessions/${sessionId}/forks`, { atRevision: 400 });
    expect(beyond).toMatchObject({ status: 404, body: { code: 'unknown-revision' } });
    const nameless = { atRevision: revision, overrides: { specialists: { judge: { modelId: '' } } } };
    expect(await server.post(`/v1/sessions/${sessionId}/forks`, nameless)).toMatchObject({
      status: 400,
      body: { errors: [{ path: '/overrides/specialists/judge/modelId', message: 'must not be empty' }] },
    });
    for (const [override, code, member] of [
      [{ modelId: 'gpt[tools' }, 'invalid-model', 'modelId'],
      [{ backupModels: ['m', 'gpt[tools'] }, 'invalid-model', 'backupModels/1'],
      [{ systemPrompt: '{{#open}}' }, 'invalid-specialist', 'systemPrompt'],
      [{ contextTemplate: '{{open' }, 'invalid-specialist', 'contextTemplate'],
      [
        { modelParameters: { extraBody: { stream: true } } },
        'invalid-parameters',
        'modelParameters/extraBody/stream',
      ],
    ] as const) {
      const unfit = { atRevision: revision, overrides: { specialists: { clerk: override } } };
      expect(await server.post(`/v1/sessions/${sessionId}/forks`, unfit)).toMatchObject({
        status: 422,
        body: { code, errors: [{ path: `/overrides/specialists/clerk/${member}` }] },
      });
    }
    const wrong = { atRevision: revision, overrides: { specialists: { judge: { modelId: 'gpt-4o' } } } };
    expect(await server.post(`/v1/sessions/${sessionId}/forks`, wrong)).toMatchObject({
      status: 422,
      body: { code: 'wrong-specialist', errors: [{ path: '/overrides/specialists/judge' }] },
    });
    const unknown = { atRevision: revision, overrides: { effects: 'allow', model: 'gpt-4o' } };
    expect(await server.post(`/v1/sessions/${sessionId}/forks`, unknown)).toMatchObject({
      status: 400,
      body: { errors: [{ path: '/overrides/effects' }, { path: '/overrides/model' }] },
    });
  });

  it('holds functions of the application until they are approved, unless its caller allows effects', async () => {
    const asked: string[] = [];
    const strategies = {
      careful: () => {
        asked.push('careful');
        return { transitionName: 'deny', reasoning: 'No.' };
      },
    };
    server = await RedialServer.start({ place: await emptyPlace(), options: { strategies } });
    redial = server.app.get(Redial);
    const specialists = [{ role: 'proposer', specialistId: 'fn', strategyFnName: 'careful' }];
    await redial.defineMachine({ ...machine, specialists });
    const { sessionId } = await redial.createSession({ machineName: 'refunds' });
    const held = await redial.forkSession({ sessionId, atRevision: 0 });
    expect(await redial.runSession({ sessionId: held.sessionId })).toMatchObject({ currentState: 'triage' });
    expect(asked).toEqual([]);
    const { items } = await redial.listTasks({ sessionId: held.sessionId, status: 'open' });
    expect(items).toMatchObject([
      {
        kind: 'approval',
        title: 'Approve function careful',
        isFork: true,
        about: { sessionId: held.sessionId },
      },
    ]);
    const { taskId = '', digest = '' } = items[0] ?? {};
    await redial.answerTask({ taskId, digest, choice: 'approve' });
    await redial.runSession({ sessionId: held.sessionId });
    expect(asked).toEqual(['careful']);
    expect(await redial.getSession({ sessionId: held.sessionId })).toMatchObject({ status: 'done' });
    const free = await redial.forkSession({ sessionId, atRevision: 0, effects: 'allow' });
    expect(await redial.runSession({ sessionId: free.sessionId })).toMatchObject({ status: 'done' });
    for (const one of [held, free])
      expect(await redial.replaySession({ sessionId: one.sessionId })).toMatchObject({ identical: true });
  });

  it('holds functions that a proposer calls by rules that are no script', async () => {
    const asked: string[] = [];
    const rules: Rules<{ readonly choice?: Json }> = {
      input: {},
      initialState: () => ({}),
      evolve: (state, { data }) => ('result' in data ? { choice: data.result } : state),
      next: ({ choice }) =>
        choice === undefined
          ? [{ do: 'call', id: 'ask', activity: 'function', input: { fnName: 'ask', input: {} } }]
          : [{ do: 'end', result: choice }],
    };
    const ask = () => {
      asked.push('ask');
      return { exit: 'deny', summary: 'No.' };
    };
    const workflows = [{ name: 'asking', versions: { 1: rules } }];
    server = await RedialServer.start({
      place: await emptyPlace(),
      options: { functions: { ask }, workflows },
    });
    redial = server.app.get(Redial);
    const specialists = [
      { role: 'proposer', specialistId: 'asker', workflow: { name: 'asking', input: {} } },
      { role: 'arbiter', specialistId: 'judge', strategyFnName: 'firstProposal' },
    ];
    await redial.defineMachine({ ...machine, specialists });
    const { sessionId } = await redial.createSession({ machineName: 'refunds' });
    const fork = await redial.forkSession({ sessionId, atRevision: 0 });
    await redial.runSession({ sessionId: fork.sessionId });
    expect(asked).toEqual([]);
    const { items } = await redial.listTasks({ sessionId: fork.sessionId, status: 'open' });
    expect(items).toMatchObject([{ kind: 'approval', title: 'Approve function ask', isFork: true }]);
    const { taskId = '', digest = '' } = items[0] ?? {};
    await redial.answerTask({ taskId, digest, choice: 'approve' });
    expect(await redial.runSession({ sessionId: fork.sessionId })).toMatchObject({ status: 'done' });
    expect(asked).toEqual(['ask']);
    expect(await redial.replaySession({ sessionId: fork.sessionId })).toMatchObject({ identical: true });
  });

  it('that waits for people is a task of its own, marked as a fork', async () => {
    await begin([]);
    await redial.defineMachine({
      ...machine,
      machineName: 'people',
      specialists: [{ role: 'proposer', specialistId: 'ann', isHuman: true }],
    });
    const { sessionId } = await redial.createSession({ machineName: 'people' });
    await redial.tickSession({ sessionId });
    const { revision } = await redial.getSession({ sessionId });
    const fork = await redial.forkSession({ sessionId, atRevision: revision });
    const { items } = await redial.listTasks({ status: 'open' });
    expect(items).toMatchObject([{ isFork: false }, { isFork: true, about: { sessionId: fork.sessionId } }]);
    const [, task] = items;
    await redial.answerTask({
      taskId: task?.taskId ?? '',
      digest: task?.digest ?? '',
      choice: 'transition',
      transitionName: 'deny',
      actAs: 'ann',
    });
    expect(await redial.getSession({ sessionId: fork.sessionId })).toMatchObject({ status: 'done' });
    expect(await redial.getSession({ sessionId })).toMatchObject({ status: 'needs_human' });
  });
});
