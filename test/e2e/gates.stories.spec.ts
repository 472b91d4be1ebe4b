import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { GateResult } from '#lib/decisions/gates';
import { bothAtOnce, release } from '../support/releases.js';
import { describeOnEachEngine } from '../support/places/describe-on-engines.js';
import { RedialServer } from '../support/redial-server.js';
import { refunds } from '../support/refunds.js';

const key = (name: string) => ({ 'idempotency-key': name });

describeOnEachEngine('gates over HTTP', (emptyPlace) => {
  describe('on a server of each test', () => {
    let server: RedialServer;

    beforeEach(async () => {
      server = await RedialServer.start({
        place: await emptyPlace(),
        options: { strategies: bothAtOnce() },
      });
    });

    afterEach(() => server.stop());

    async function invoke(gateId: string, body: object = {}, headers: Record<string, string> = {}) {
      const response = await server.post(`/v1/gates/${gateId}/invocations`, body, headers);
      expect([response.status, response.status === 201 || response.body]).toEqual([201, true]);
      return response.body as GateResult;
    }

    const shown = async ({ gateId, sessionId }: GateResult) =>
      (await server.get(`/v1/gates/${gateId}/invocations/${sessionId}`)).body as GateResult;

    it('D-52: creates a gate, answers a repeat with the same version, and a changed one with the next', async () => {
      const first = await server.post('/v1/gates', release);
      expect(first).toMatchObject({
        status: 201,
        body: { gateId: 'release', version: 1, machineVersion: 1 },
      });
      expect(first.headers['redial-position']).toBe(await server.head());
      const { actorTokens, ...gate } = first.body as { actorTokens: object };
      expect(actorTokens).toEqual({ boss: expect.any(String) });
      expect(gate).toEqual({ gateId: 'release', version: 1, machineVersion: 1, definition: release });
      const same = await server.post('/v1/gates', release);
      expect([same.status, same.body]).toEqual([200, gate]);
      const changed = await server.post('/v1/gates', { ...release, prompt: 'Really?' });
      expect(changed).toMatchObject({ status: 201, body: { version: 2, machineVersion: 2 } });
      expect((await server.get('/v1/gates/release')).body).toEqual(changed.body);
      expect((await server.get('/v1/gates?limit=1')).body).toEqual({
        items: [changed.body],
        nextCursor: null,
      });
      expect((await server.get('/v1/machines/release')).body).toMatchObject({
        version: 2,
        definition: { initialState: 'evaluate', goalState: 'done' },
      });
    });

    it('D-52: asks everybody at the same time, decides, and says what everybody said and what it cost', async () => {
      await server.post('/v1/gates', release);
      const result = await invoke('release', { metaJson: { commit: 'abc' } });
      const winner = result.proposals.find(({ status }) => status === 'won');
      expect(result).toEqual({
        gateId: 'release',
        sessionId: expect.any(String),
        roundId: expect.any(String),
        decision: 'ship',
        ...(winner?.metaJson && { metaJson: winner.metaJson }),
        needsHuman: false,
        isHuman: false,
        reasoning: winner?.reasoning,
        proposals: expect.any(Array),
        failures: [],
        costUSD: 0.75,
        latencyMsec: expect.any(Number),
        numInputTokens: 7,
      });
      const standing = Object.fromEntries(result.proposals.map((one) => [one.specialistId, one.status]));
      expect(standing).toEqual({ review: 'lost', tests: 'lost', [winner?.specialistId ?? 'nobody']: 'won' });
      expect(await shown(result)).toEqual(result);
      const { sessionId } = result;
      expect((await server.get(`/v1/sessions/${sessionId}`)).body).toMatchObject({
        machineName: 'release',
        machineVersion: 1,
        status: 'done',
        metaJson: { commit: 'abc' },
      });
      const listed = await server.get(`/v1/sessions/${sessionId}/proposals`);
      expect(listed.body.items).toEqual(result.proposals);
      const replayed = await server.post(`/v1/sessions/${sessionId}/replay`);
      expect(replayed.body).toMatchObject({ identical: true });
    });

    it('D-52: turns to a person when it has no arbiter, and shows what that person decides; alignment counts for the gate', async () => {
      const unjudged = {
        ...release,
        specialists: release.specialists.filter(({ role }) => role === 'proposer'),
      };
      const { actorTokens } = (await server.post('/v1/gates', unjudged)).body as {
        actorTokens: { boss: string };
      };
      const open = await invoke('release');
      expect(open).toMatchObject({
        needsHuman: true,
        isHuman: false,
        proposals: [{ status: 'open' }, { status: 'open' }],
      });
      expect(open).not.toHaveProperty('decision');
      const forced = { specialistId: 'boss', transitionName: 'hold', reasoning: 'friday' };
      const decided = await server.post(`/v1/sessions/${open.sessionId}/arbitrations`, forced, {
        'redial-actor-token': actorTokens.boss,
      });
      expect(decided.body).toMatchObject({ executed: true });
      expect(await shown(open)).toMatchObject({
        decision: 'hold',
        needsHuman: false,
        isHuman: true,
        reasoning: 'friday',
        proposals: [{ status: 'lost' }, { status: 'lost' }],
      });
      expect((await server.get('/v1/specialists/tests')).body.alignment).toMatchObject([
        { machineName: 'release', matchingChoices: 0, totalComparisons: 1, alignmentScore: 0 },
      ]);
    });

    it('answers a repeated key as the first time, even after changes of the gate and the session', async () => {
      const unjudged = {
        ...release,
        specialists: release.specialists.filter(({ role }) => role === 'proposer'),
      };
      const { actorTokens } = (await server.post('/v1/gates', unjudged)).body as {
        actorTokens: { boss: string };
      };
      const first = await invoke('release', { metaJson: { n: 1 } }, key('k'));
      await server.post(
        `/v1/sessions/${first.sessionId}/arbitrations`,
        { specialistId: 'boss', transitionName: 'ship' },
        { 'redial-actor-token': actorTokens.boss },
      );
      await server.post('/v1/specialists', {
        role: 'proposer',
        specialistId: 'newcomer',
        machineName: 'release',
        strategyFnName: 'firstAvailable',
      });
      await server.http.delete('/v1/gates/release');
      const head = await server.head();
      expect(await invoke('release', { metaJson: { n: 1 } }, key('k'))).toEqual(first);
      expect(await server.head()).toBe(head);
      const other = await server.post('/v1/gates/release/invocations', { metaJson: { n: 2 } }, key('k'));
      expect(other).toMatchObject({ status: 422, body: { code: 'idempotency-key-reused' } });
    });

    it('D-52: neither shows nor invokes a deleted gate; its invocations stay, and it can be created again', async () => {
      await server.post('/v1/gates', release);
      const past = await invoke('release');
      const deleted = await server.http.delete('/v1/gates/release').set(key('d'));
      expect(deleted).toMatchObject({
        status: 200,
        body: { gateId: 'release', version: 1, definition: release },
      });
      const repeated = await server.http.delete('/v1/gates/release').set(key('d'));
      expect([repeated.status, repeated.body]).toEqual([200, deleted.body]);
      const head = await server.head();
      const gone = [
        await server.get('/v1/gates/release'),
        await server.http.delete('/v1/gates/release'),
        await server.post('/v1/gates/release/invocations'),
      ];
      for (const { status, body, type } of gone)
        expect([status, body.code, type]).toEqual([404, 'unknown-gate', 'application/problem+json']);
      expect((await server.get('/v1/gates')).body).toEqual({ items: [], nextCursor: null });
      expect(await server.head()).toBe(head);
      expect(await shown(past)).toEqual(past);
      expect(await server.post('/v1/gates', release)).toMatchObject({
        status: 201,
        body: { version: 2, machineVersion: 1 },
      });
      expect(await invoke('release')).toMatchObject({ decision: 'ship' });
    });
  });

  describe('what is refused', () => {
    let server: RedialServer;
    let sessionId: string;
    let head: string | undefined;

    beforeAll(async () => {
      const options = { strategies: bothAtOnce() };
      server = await RedialServer.start({ place: await emptyPlace(), options });
      await server.post('/v1/gates', release);
      await server.post('/v1/machines', refunds);
      const { body } = await server.post('/v1/sessions', { machineName: 'refunds' });
      ({ sessionId } = body as { sessionId: string });
      head = await server.head();
    });
    afterAll(() => server.stop());
    afterEach(async () => expect(await server.head()).toBe(head));

    it.each<[string, object, number, string, string | undefined]>([
      ['no choices', { gateId: 'g' }, 422, 'invalid-gate', '/choices'],
      ['no choice among the choices', { gateId: 'g', choices: {} }, 422, 'invalid-gate', '/choices'],
      ['a choice that is a number', { gateId: 'g', choices: { a: 7 } }, 400, 'malformed-gate', '/choices/a'],
      ['a state', { ...release, states: {} }, 400, 'malformed-gate', '/states'],
      ['an id that is none', { ...release, gateId: 'a b' }, 422, 'invalid-gate', '/gateId'],
      [
        'a function nobody registered',
        {
          ...release,
          specialists: [{ role: 'proposer', specialistId: 'p', strategyFnName: 'nobodyKnows' }],
        },
        422,
        'invalid-gate',
        '/specialists/0',
      ],
      ['the name of another machine', { ...release, gateId: 'refunds' }, 409, 'machine-exists', undefined],
    ])('refuses a gate with %s, and creates nothing', async (_what, body, status, code, path) => {
      const refused = await server.post('/v1/gates', body);
      expect(refused).toMatchObject({ status, type: 'application/problem+json', body: { code, status } });
      expect(refused.body.errors?.[0]?.path).toBe(path);
    });

    it('refuses invocations that cannot be, and shows none that is not of the gate', async () => {
      const path = '/v1/gates/release/invocations';
      for (const body of [{ metaJson: 7 }, { metaJson: null }, { gateId: 'other' }])
        expect(await server.post(path, body)).toMatchObject({
          status: 400,
          body: { code: 'malformed-request' },
        });
      expect(await server.post('/v1/gates/a%20b/invocations')).toMatchObject({ status: 404 });
      expect(await server.get(`${path}/${sessionId}`)).toMatchObject({
        status: 404,
        body: { code: 'unknown-invocation' },
      });
      expect(await server.get(`/v1/gates/refunds/invocations/${sessionId}`)).toMatchObject({ status: 404 });
      expect(await server.get(`${path}/nonsense`)).toMatchObject({ status: 404 });
      expect(await server.get(`${path}/${sessionId}?minPosition=x`)).toMatchObject({ status: 400 });
    });
  });
});
