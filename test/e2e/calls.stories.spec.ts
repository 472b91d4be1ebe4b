import { request } from 'node:http';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { heldBack, httpError, text, toolCall } from '#lib/activities/testing';
import { describeOnEachEngine } from '../support/places/describe-on-engines.js';
import { RedialServer } from '../support/redial-server.js';
import { clerk, openRefund, refunds } from '../support/refunds.js';

const key = (value: string) => ({ 'Idempotency-Key': value });

describeOnEachEngine('calls over HTTP', (emptyPlace) => {
  let server: RedialServer;
  let sessionId: string;

  const propose = (body: object = {}, headers = {}) =>
    server.post(`/v1/sessions/${sessionId}/proposals`, { specialistId: 'clerk', ...body }, headers);

  const transit = (body: object = {}, headers = {}) =>
    server.post(
      `/v1/sessions/${sessionId}/transitions`,
      { transitionName: 'escalate', toState: 'review', ...body },
      headers,
    );

  describe('on one server', () => {
    /** The requests of the tests before. */
    let asked: number;

    beforeAll(async () => {
      server = await RedialServer.start({ place: await emptyPlace() });
    });
    afterAll(() => server.stop());

    beforeEach(async () => {
      sessionId = await openRefund(server);
      asked = server.llm.requests.length;
    });

    it('refuses a key that came before with another body, in the same session or for another id: 422', async () => {
      await transit({}, key('k'));
      await server.post('/v1/machines', { ...refunds, machineName: 'one' }, key('k'));
      const head = await server.head();
      const reused = { status: 422, body: { code: 'idempotency-key-reused' } };
      expect(await transit({ reasoning: 'other' }, key('k'))).toMatchObject(reused);
      expect(await server.post('/v1/machines', { ...refunds, machineName: 'two' }, key('k'))).toMatchObject(
        reused,
      );
      expect(await server.head()).toBe(head);
    });

    it('lets a repeat wait for the first while it runs: one model call, one answer', async () => {
      let release = () => {};
      const held = new Promise<void>((resolve) => (release = resolve));
      server.llm.enqueue(heldBack(toolCall('approve', {}), held));
      const first = propose({}, key('k'));
      await server.llm.received(asked + 1);
      const second = propose({}, key('k'));
      const other = await propose({ reasoning: 'other' }, key('k'));
      expect(other).toMatchObject({ status: 422, body: { code: 'idempotency-key-reused' } });
      release();
      const answers = [await first, await second];
      expect(answers.map(({ status }) => status)).toEqual([201, 201]);
      expect(answers[1]?.body).toEqual(answers[0]?.body);
      expect(server.llm.requests).toHaveLength(asked + 1);
    });

    it('repeats a 502 as the same 502 under its key, and asks again without', async () => {
      server.llm.enqueue(httpError(500, 'down'), text({ transitionName: 'escalate', toState: 'review' }));
      const first = await propose({}, key('k'));
      expect(first).toMatchObject({
        status: 502,
        type: 'application/problem+json',
        body: {
          code: 'proposer-failed',
          kind: 'http-error',
          upstreamStatus: 500,
          solicitationId: expect.any(String),
        },
      });
      expect(first.headers['redial-position']).toBe(await server.head());
      const again = await propose({}, key('k'));
      expect([again.status, again.body]).toEqual([502, first.body]);
      expect(again.headers['redial-position']).toBe(first.headers['redial-position']);
      expect(await propose()).toMatchObject({ status: 201, body: { transitionName: 'escalate' } });
    });

    it('continues a call whose client disconnected', async () => {
      let release = () => {};
      const held = new Promise<void>((resolve) => (release = resolve));
      server.llm.enqueue(heldBack(toolCall('approve', {}), held));
      const leaving = request(`${server.url}/v1/sessions/${sessionId}/proposals`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...key('k') },
      });
      const left = new Promise((resolve) => leaving.once('close', resolve));
      leaving.on('error', () => undefined).end(JSON.stringify({ specialistId: 'clerk' }));
      await server.llm.received(asked + 1);
      leaving.destroy();
      await left;
      release();
      expect(await propose({}, key('k'))).toMatchObject({ status: 201, body: { transitionName: 'approve' } });
    });

    it('refuses a key that is empty, too long, or not of printable ASCII: 400', async () => {
      for (const bad of ['', ' ', 'ü', 'x'.repeat(129)]) {
        const answer = await fetch(`${server.url}/v1/sessions`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', ...key(bad) },
          body: '{"machineName":"refunds"}',
        });
        expect([bad, answer.status]).toEqual([bad, 400]);
        expect(await answer.json()).toMatchObject({ errors: [{ path: '/Idempotency-Key' }] });
      }
    });

    it('refuses another value of Redial-Leave-To-People than true: 400', async () => {
      const answer = await server.post('/v1/sessions', {}, { 'Redial-Leave-To-People': 'yes' });
      expect([answer.status, answer.body.errors[0].path]).toEqual([400, '/Redial-Leave-To-People']);
    });

    it('D-10, D-21: keeps a proposal for a past round as late, and refuses a transition of it: 409', async () => {
      const { currentRoundId: roundId } = (await server.get(`/v1/sessions/${sessionId}`)).body;
      await transit();
      expect(await propose({ roundId, transitionName: 'approve' })).toMatchObject({
        status: 201,
        body: { status: 'late' },
      });
      expect(await transit({ roundId })).toMatchObject({ status: 409, body: { code: 'round-over' } });
      const ofRound = await server.get(`/v1/sessions/${sessionId}/proposals?roundId=${roundId}`);
      expect(ofRound.body.items).toHaveLength(1);
      expect((await server.get(`/v1/sessions/${sessionId}/proposals?roundId=none`)).body.items).toEqual([]);
    });

    it('D-20, D-21: takes what a caller states outright, and refuses a second proposal in a round: 409', async () => {
      const said = {
        transitionName: 'approve',
        reasoning: '',
        costUSD: 0,
        latencyMsec: 1.5,
        numInputTokens: 0,
      };
      expect(await propose(said)).toMatchObject({
        status: 201,
        body: { ...said, toState: 'closed', status: 'open' },
      });
      expect(await propose(said)).toMatchObject({ status: 409, body: { code: 'duplicate-proposal' } });
      await transit();
      const { items } = (await server.get(`/v1/sessions/${sessionId}/proposals`)).body;
      expect(items).toMatchObject([{ status: 'lost' }]);
    });

    it('refuses a transition when nothing leads on: 422', async () => {
      await transit({ transitionName: 'approve', toState: 'closed' });
      const refused = await transit({ transitionName: 'approve', toState: 'closed' });
      expect(refused).toMatchObject({ status: 422, body: { code: 'session-at-rest' } });
    });
  });

  describe('on a server of each test', () => {
    async function start(setting: Parameters<typeof RedialServer.start>[0]): Promise<void> {
      server = await RedialServer.start({ place: await emptyPlace(), ...setting });
      sessionId = await openRefund(server);
    }

    afterEach(() => server.stop());

    it('answers a repeat under a key as the first time, without a new event or model call', async () => {
      await start({ script: [toolCall('approve', { amount: 12 })] });
      const calls = [
        () => server.post('/v1/machines', { ...refunds, machineName: 'keyed' }, key('m')),
        () => server.post('/v1/specialists', { ...clerk, specialistId: 'keyed' }, key('s')),
        () => server.post('/v1/sessions', { machineName: 'refunds' }, key('c')),
        () => propose({}, key('p')),
        () => transit({}, key('t')),
        () => server.post('/v1/specialists/clerk/disable', {}, key('d')),
      ];
      for (const call of calls) {
        const first = await call();
        const head = await server.head();
        expect(first.headers['redial-position']).toBe(head);
        const again = await call();
        expect([again.status, again.body, again.headers['redial-position']]).toEqual([
          first.status,
          first.body,
          head,
        ]);
        expect(await server.head()).toBe(head);
      }
    });

    it('D-28: refuses a call without an API key before anything is written: 422, configuration', async () => {
      await start({ environment: { OPENAI_API_KEY: undefined } });
      const head = await server.head();
      expect(await propose()).toMatchObject({ status: 422, body: { code: 'configuration' } });
      expect(await server.head()).toBe(head);
    });

    it('answers a query once the position is reached, and 503 when it is not in time', async () => {
      await start({ options: { readWaitMs: 50 } });
      const { headers } = await transit();
      const position = headers['redial-position'] ?? '';
      const ask = () => server.get(`/v1/sessions/${sessionId}?minPosition=${position}`);
      let reached = await ask();
      while (reached.status === 503) reached = await ask();
      expect(reached.body).toMatchObject({ currentState: 'review' });
      const ahead = position.replace(/\d{20}$/, '9'.repeat(20));
      for (const path of ['', '/events', '/proposals', '/events/stream']) {
        const answer = await server.get(`/v1/sessions/${sessionId}${path}?minPosition=${ahead}`);
        expect(answer).toMatchObject({ status: 503, body: { code: 'projection-behind' } });
      }
    });
  });
});
