import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { heldBack, toolCall } from '#lib/activities/testing';
import type { RedialOptions } from '#lib/engine';
import { barrier } from '../support/barrier.js';
import { lenders, loans } from '../support/loans.js';
import { RedialServer } from '../support/redial-server.js';
import { untilEvent } from '../support/until-event.js';

const first = { role: 'proposer', specialistId: 'p', strategyFnName: 'firstAvailable' };
const judge = { role: 'arbiter', specialistId: 'j', strategyFnName: 'firstProposal' };
const model = { role: 'proposer', specialistId: 'm', contextTemplate: 'x', modelId: 'gpt-4o-mini' };

/** The machine, under a name of a test's own where the tests share a server. */
const own = <M extends { readonly machineName: string }>(machine: M): M => ({
  ...machine,
  machineName: `${machine.machineName}-${randomUUID()}`,
});

const door = (...specialists: readonly object[]) => ({
  machineName: 'door',
  initialState: 'closed',
  goalState: 'open',
  specialists,
  states: { closed: { transitions: { push: 'open', pull: 'open' } }, open: {} },
});

/** The states of a door, for models: they are offered what has a description. */
const labelled = { closed: { transitions: { push: { target: 'open', description: 'Push' } } }, open: {} };

/** Goes round without an end, unless it is stopped. */
const carousel = {
  machineName: 'carousel',
  initialState: 'a',
  goalState: 'end',
  specialists: [
    { ...first, specialistId: 'driver' },
    { ...judge, specialistId: 'owner' },
  ],
  states: {
    a: { transitions: { go: 'b', stop: 'end' } },
    b: { transitions: { go: 'a', stop: 'end' } },
    end: {},
  },
};

interface Answer {
  readonly status: number;
  readonly body: { readonly [member: string]: unknown };
  readonly headers: { readonly [name: string]: string };
}

describe('the process manager', () => {
  let server: RedialServer;

  async function start(options: RedialOptions = {}, environment = {}): Promise<void> {
    server = await RedialServer.start({ options: { strategies: lenders, ...options }, environment });
  }

  const post = (path: string, body: object = {}, headers = {}): Promise<Answer> =>
    server.post(`/v1/${path}`, body, headers);
  const key = (name: string) => ({ 'idempotency-key': name });

  async function open(machineName: string, metaJson = {}): Promise<string> {
    const { body } = await post('sessions', { machineName, metaJson });
    return String(body['sessionId']);
  }

  /** Defines the loans machine; returns the actor token of its boss. */
  async function openLoans(over: object = {}): Promise<{ 'redial-actor-token': string }> {
    const { body } = await post('machines', { ...loans, ...over });
    return { 'redial-actor-token': (body['actorTokens'] as { boss: string } | undefined)?.boss ?? '' };
  }

  async function until(type: string, sessionId: string): Promise<void> {
    const stream = server.log.streams.of('session', sessionId);
    await untilEvent(server.log, (event) => event.type === type && event.stream === stream);
  }

  async function statusOf(sessionId: string): Promise<unknown> {
    return ((await server.get(`/v1/sessions/${sessionId}`)).body as Answer['body'])['status'];
  }

  describe('on a server of each test', () => {
    afterEach(() => server.stop());

    describe('in the always-on mode', () => {
      it('gives every session its turn, also beside one that goes round for ever', async () => {
        await start({ drive: { enabled: true, concurrency: 1, intervalMs: 20 } });
        await post('machines', carousel);
        await post('machines', door(first, judge));
        const round = await open('carousel');
        await until('TransitionExecuted', round);
        const other = await open('door');
        await until('TransitionExecuted', other);
        await post(`sessions/${round}/transitions`, { transitionName: 'stop', toState: 'end' });
        expect(await statusOf(other)).toBe('done');
      });

      it('continues a session that waits for a person once a specialist can decide it', async () => {
        await start({ drive: { enabled: true, intervalMs: 10 } });
        await post('machines', door(first));
        const sessionId = await open('door');
        await until('HumanInputRequested', sessionId);
        await post('specialists', { ...judge, machineName: 'door' });
        await until('TransitionExecuted', sessionId);
        expect(await statusOf(sessionId)).toBe('done');
      });

      it('asks whom it can ask, and calls a person when it lacks what somebody needs', async () => {
        await start({ drive: { enabled: true, intervalMs: 20 } }, { OPENAI_API_KEY: undefined });
        await post('machines', door(model, first, judge));
        const sessionId = await open('door');
        await until('HumanInputRequested', sessionId);
        const { body } = await server.get('/v1/inbox');
        expect(body).toMatchObject({
          items: [{ sessionId, reason: 'cannot-ask', proposals: [{ specialistId: 'p' }] }],
        });
      });
    });

    it('asks the others before it refuses for whom this process cannot ask, and a refused run writes nothing (X-S12)', async () => {
      await start({}, { OPENAI_API_KEY: undefined });
      await post('machines', door(model, first, judge));
      const sessionId = await open('door');
      expect(await post(`sessions/${sessionId}/tick`)).toMatchObject({
        status: 200,
        body: { status: 'solicited', specialistId: 'p' },
      });
      expect(await post(`sessions/${sessionId}/tick`)).toMatchObject({
        status: 422,
        body: { code: 'configuration' },
      });
      await post('machines', { ...door({ ...model, specialistId: 'alone' }), machineName: 'gate' });
      const refused = await open('gate');
      const head = await server.head();
      const run = await post(`sessions/${refused}/run`);
      expect([run.status, run.headers['redial-position'], await server.head()]).toEqual([
        422,
        undefined,
        head,
      ]);
    });

    it('takes the steps of all other sessions when one fails', async () => {
      await start({}, { OPENAI_API_KEY: undefined });
      await post('machines', door(model));
      await post('machines', carousel);
      await open('door');
      const sessionId = await open('carousel');
      const ticked = await post('tick');
      expect(ticked).toMatchObject({ status: 200, body: [{ sessionId, status: 'advanced' }] });
    });

    it('says that a session waits for a person when the arbiter has looked again in vain', async () => {
      await start();
      const boss = await openLoans({ consensusThreshold: 1 });
      const [waiting, other, last] = [
        await open('loans', { amount: 500 }),
        await open('loans', { amount: 500 }),
        await open('loans', { amount: 500 }),
      ];
      for (const sessionId of [waiting, other, last]) await post(`sessions/${sessionId}/run`);
      for (const [sessionId, transitionName] of [
        [other, 'approve'],
        [last, 'reject'],
      ] as const)
        await post(`sessions/${sessionId}/arbitrations`, { specialistId: 'boss', transitionName }, boss);
      expect((await post(`sessions/${waiting}/tick`)).body).toMatchObject({ status: 'needs_human' });
      expect(await statusOf(waiting)).toBe('needs_human');
    });

    it('asks the proposers of a round at the same time when the machine says so, and decides in the same step', async () => {
      const allHaveCome = barrier(3);
      const script = async () => {
        await allHaveCome();
        return toolCall('push', {});
      };
      server = await RedialServer.start({ script });
      const models = ['m1', 'm2', 'm3'].map((specialistId) => ({ ...model, specialistId }));
      await post('machines', { ...door(...models, judge), states: labelled, ask: 'together' });
      const sessionId = await open('door');
      const ticked = await post(`sessions/${sessionId}/tick`, {}, key('t'));
      expect(ticked).toMatchObject({ status: 200, body: { status: 'advanced', currentState: 'open' } });
      expect(server.llm.requests).toHaveLength(3);
      const head = await server.head();
      expect((await post(`sessions/${sessionId}/tick`, {}, key('t'))).body).toEqual(ticked.body);
      expect(await server.head()).toBe(head);
      expect((await post(`sessions/${sessionId}/replay`)).body).toMatchObject({ identical: true, open: 0 });
    });

    it.each(['run', 'tick'])(
      'answers a %s with 202 and the session as it is where the caller does not wait',
      async (what) => {
        let reply = () => {};
        const held = new Promise<void>((resolve) => (reply = resolve));
        server = await RedialServer.start({ script: [heldBack(toolCall('push', {}), held)] });
        await post('machines', { ...door(model, judge), states: labelled });
        const sessionId = await open('door');
        const prefer = { prefer: 'wait=5, respond-async' };
        const answer = await post(`sessions/${sessionId}/${what}`, {}, prefer);
        expect(answer).toMatchObject({
          status: 202,
          body: { sessionId, status: 'open', currentState: 'closed', history: [] },
          headers: { location: `/v1/sessions/${sessionId}`, 'preference-applied': 'respond-async' },
        });
        reply();
        await untilEvent(server.log, (event) => event.type === 'TransitionExecuted');
        const head = await server.head();
        const { body } = await server.get(`/v1/sessions/${sessionId}?minPosition=${head}`);
        expect(body).toMatchObject({ status: 'done' });
        expect(await post(`sessions/unknown/${what}`, {}, prefer)).toMatchObject({ status: 404 });
        expect(await post(`sessions/${sessionId}/${what}`, { nonsense: 1 }, prefer)).toMatchObject({
          status: 400,
        });
        expect(await server.head()).toBe(head);
        expect(await post(`sessions/${sessionId}/${what}`)).toMatchObject({ status: 200 });
      },
    );
  });

  describe('on one server', () => {
    let boss: { 'redial-actor-token': string };

    beforeAll(async () => {
      await start();
      boss = await openLoans();
    });
    afterAll(() => server.stop());

    /** A machine of a test's own; the boss is one person. */
    async function ownLoans(): Promise<string> {
      const { machineName } = own(loans);
      await openLoans({ machineName });
      return machineName;
    }

    it('reports a concurrent decision, and never reports an open session as at rest', async () => {
      const machine = own(carousel);
      await post('machines', machine);
      const sessionId = await open(machine.machineName);
      const steps = Array.from({ length: 6 }, () => post(`sessions/${sessionId}/tick`));
      for (const { status, body } of await Promise.all(steps)) {
        expect([status, body]).toEqual([200, expect.objectContaining({ sessionId })]);
      }
    });

    it('refuses the key of a run that comes with another body', async () => {
      const machine = own(carousel);
      await post('machines', machine);
      const sessionId = await open(machine.machineName);
      expect(await post(`sessions/${sessionId}/run`, { maxTicks: 1 }, key('k'))).toMatchObject({
        status: 200,
      });
      expect(await post(`sessions/${sessionId}/run`, { maxTicks: 3 }, key('k'))).toMatchObject({
        status: 422,
      });
    });

    it('writes nothing for a repeated override, even after specialists were disabled', async () => {
      const machineName = await ownLoans();
      const sessionId = await open(machineName, { amount: 10 });
      await post(`sessions/${sessionId}/run`);
      const force = { specialistId: 'boss', transitionName: 'approve' };
      const once = await post(`sessions/${sessionId}/arbitrations`, force, { ...boss, ...key('k') });
      await post(`specialists/generous/disable?machineName=${machineName}`);
      const head = await server.head();
      const twice = await post(`sessions/${sessionId}/arbitrations`, force, { ...boss, ...key('k') });
      expect(twice.body).toEqual(once.body);
      expect(await server.head()).toBe(head);
    });

    it('leaves disabled whom an operator disabled since a person last decided', async () => {
      const machineName = await ownLoans();
      const sessionId = await open(machineName, { amount: 500 });
      await post(`sessions/${sessionId}/run`);
      const force = { specialistId: 'boss', transitionName: 'reject' };
      await post(`sessions/${sessionId}/arbitrations`, force, boss);
      await post(`specialists/generous/disable?machineName=${machineName}`);
      await post(`sessions/${await open(machineName, { amount: 500 })}/tick`);
      expect((await server.get(`/v1/specialists/generous?machineName=${machineName}`)).body).toMatchObject({
        enabled: false,
      });
    });

    it('lets no disabled specialist act: no arbiter that is named, no person', async () => {
      const machineName = await ownLoans();
      const off = {
        role: 'arbiter',
        specialistId: 'off',
        machineName,
        strategyFnName: 'firstProposal',
      };
      await post('specialists', off);
      await post(`specialists/off/disable?machineName=${machineName}`);
      await post(`specialists/boss/disable?machineName=${machineName}`);
      const arbitrations = `sessions/${await open(machineName, { amount: 5 })}/arbitrations`;
      const refused = { status: 422, body: { code: 'specialist-disabled' } };
      expect(await post(arbitrations, { specialistId: 'off' })).toMatchObject(refused);
      const force = { specialistId: 'boss', transitionName: 'reject' };
      expect(await post(arbitrations, force, boss)).toMatchObject(refused);
    });

    it('lets the stand-ins of one session decide no other', async () => {
      const machine = own(door(first));
      await post('machines', machine);
      const [one, two] = [await open(machine.machineName), await open(machine.machineName)];
      await post(`sessions/${one}/tick`);
      expect((await post(`sessions/${one}/tick`)).body).toMatchObject({ status: 'needs_human' });
      expect((await post(`sessions/${two}/run`)).body).toMatchObject({ status: 'done' });
      expect((await post(`sessions/${one}/tick`)).body).toMatchObject({ status: 'needs_human' });
    });
  });
});
