import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { temporaryFolder } from '#lib/kernel/testing';
import { httpError, text, toolCall } from '#lib/activities/testing';
import { API_KEY, API_TOKEN, RedialServer } from '../support/redial-server.js';
import { openRefund } from '../support/refunds.js';

const bearer = { Authorization: `Bearer ${API_TOKEN}` };
const guarded = { REDIAL_API_TOKEN: API_TOKEN };
const human = { role: 'proposer', machineName: 'refunds', isHuman: true };

describe('security over HTTP', () => {
  let server: RedialServer;
  let open: RedialServer;

  beforeAll(async () => {
    server = await RedialServer.start({ environment: guarded });
    open = await RedialServer.start();
  });
  afterAll(async () => {
    await open.stop();
    await server.stop();
  });

  it('D-51: answers nobody without the token: 401; health stays open', async () => {
    const wrong: readonly Readonly<Record<string, string>>[] = [
      {},
      { Authorization: 'Bearer wrong' },
      { Authorization: API_TOKEN },
      { Authorization: `Basic ${API_TOKEN}` },
    ];
    for (const path of ['/v1/machines', '/metrics', '/openapi.json', '/docs', '/nowhere', '/healthy']) {
      for (const headers of wrong) {
        const answer = await server.get(path, headers);
        expect(answer).toMatchObject({
          status: 401,
          type: 'application/problem+json',
          body: { code: 'unauthorized', status: 401, detail: expect.stringMatching(/^\[Unauthorized\] /) },
        });
        expect(answer.headers['www-authenticate']).toMatch(/^Bearer/);
      }
    }
    expect((await server.post('/v1/machines', { big: 'x'.repeat(2_000_000) })).status).toBe(401);
    expect((await server.get('/health/live')).status).toBe(200);
    expect((await server.get('/health/ready')).status).toBe(200);
    expect((await server.get('/v1/machines', bearer)).status).toBe(200);
    expect((await server.get('/v1/machines', { authorization: `bearer ${API_TOKEN}` })).status).toBe(200);
  });

  it('lets only those act as a human who have their token: 403', async () => {
    const sessionId = await openRefund(server, bearer);
    const register = async (specialistId: string): Promise<string> =>
      (await server.post('/v1/specialists', { ...human, specialistId }, bearer)).body.actorToken;
    const tokens = { ann: await register('ann'), bob: await register('bob') };
    const propose = (headers: object, specialistId = 'ann') =>
      server.post(
        `/v1/sessions/${sessionId}/proposals`,
        { specialistId, transitionName: 'approve' },
        { ...bearer, ...headers },
      );
    const head = await server.head();
    for (const headers of [{}, { 'Redial-Actor-Token': tokens.bob }])
      expect(await propose(headers)).toMatchObject({ status: 403, body: { code: 'not-that-human' } });
    expect(await server.head()).toBe(head);
    const granted = await propose({ 'Redial-Actor-Token': tokens.ann });
    expect(granted).toMatchObject({ status: 201, body: { isHuman: true, specialistId: 'ann' } });
    const { items } = (await server.get(`/v1/sessions/${sessionId}/events`, bearer)).body;
    expect(items.at(-1)).toMatchObject({ type: 'ProposalSubmitted', metadata: { actor: 'ann' } });
    expect(JSON.stringify(items)).not.toContain(tokens.ann);
  });

  it('0.2-H5: refuses an actor token that proves nobody, at every door and beside every bearer: 401', async () => {
    const sessionId = await openRefund(server, bearer);
    const headers = { ...bearer, 'Redial-Actor-Token': 'bogus' };
    const body = { specialistId: 'clerk', transitionName: 'approve' };
    const head = await server.head();
    for (const [place, given] of [
      [server, headers],
      [open, { 'Redial-Actor-Token': 'bogus' }],
    ] as const) {
      const answers = [
        await place.post(`/v1/sessions/${sessionId}/proposals`, body, given),
        await place.get(`/v1/sessions/${sessionId}`, given),
        await place.get('/v1/machines', given),
        await place.post('/v1/machines', {}, given),
        await place.get('/nowhere', given),
      ];
      expect(answers.map(({ status, body: { code } }) => [status, code])).toEqual(
        answers.map(() => [401, 'unauthorized']),
      );
    }
    expect(await server.head()).toBe(head);
  });

  it('tells a human the same token when the registration is repeated, even after a restart', async () => {
    const place = { dataDir: temporaryFolder() };
    const first = await RedialServer.start({ environment: guarded, place });
    const headers = { ...bearer, 'Idempotency-Key': 'k' };
    const body = { ...human, specialistId: 'ann' };
    const made = await first.post('/v1/specialists', body, headers);
    await first.stop();
    const next = await RedialServer.start({ environment: guarded, place });
    const again = await next.post('/v1/specialists', body, headers);
    expect([again.status, again.body]).toEqual([201, made.body]);
    const known = await next.post('/v1/specialists', body, bearer);
    await next.stop();
    expect([known.status, known.body]).toEqual([
      200,
      expect.not.objectContaining({ actorToken: expect.anything() }),
    ]);
  });

  it('asks for no actor token when there is no token of the server, and believes no wrong one', async () => {
    const sessionId = await openRefund(open);
    await open.post('/v1/specialists', { ...human, specialistId: 'ann' });
    const body = { specialistId: 'ann', transitionName: 'approve' };
    const wrong = { 'Redial-Actor-Token': 'wrong' };
    expect(await open.post(`/v1/sessions/${sessionId}/proposals`, body, wrong)).toMatchObject({
      status: 401,
      body: { code: 'unauthorized' },
    });
    expect((await open.post(`/v1/sessions/${sessionId}/proposals`, body)).status).toBe(201);
    const asked = await open.post(`/v1/sessions/${sessionId}/proposals`, { specialistId: 'ann' });
    expect(asked).toMatchObject({ status: 422, body: { code: 'wrong-specialist' } });
  });

  it('0.2-O13: the pages of the docs take the token from the form of a browser, as its password, and other paths do not', async () => {
    const form = { Authorization: `Basic ${Buffer.from(`anyone:${API_TOKEN}`).toString('base64')}` };
    const wrong = { Authorization: `Basic ${Buffer.from('anyone:wrong').toString('base64')}` };
    for (const path of ['/docs', '/docs/start.js', '/openapi.json']) {
      expect((await server.get(path)).headers['www-authenticate']).toMatch(/, Basic realm="redial"$/);
      expect((await server.get(path, wrong)).status).toBe(401);
      expect((await server.get(path, form)).status).toBe(200);
    }
    expect((await server.get('/v1/machines', form)).status).toBe(401);
    expect((await server.get('/v1/machines')).headers['www-authenticate']).toBe('Bearer realm="redial"');
  });

  it('keeps secrets out of every answer, also those that a model repeats', async () => {
    const echo = { error: { message: `bad key ${API_KEY} for ${API_TOKEN}` } };
    server.llm.enqueue(
      httpError(401, echo),
      text(`${API_KEY} ${API_TOKEN}`),
      toolCall('approve', { key: API_KEY }),
    );
    const sessionId = await openRefund(server, bearer);
    const ask = () => server.post(`/v1/sessions/${sessionId}/proposals`, { specialistId: 'clerk' }, bearer);
    const answers = [await ask(), await ask()];
    expect(answers.map(({ status }) => status)).toEqual([502, 502]);
    const paths = ['', '/events', '/llm-calls', '/proposals'].map(
      (part) => `/v1/sessions/${sessionId}${part}`,
    );
    for (const path of [...paths, '/v1/llm-calls', '/v1/specialists', '/metrics', '/openapi.json']) {
      answers.push(await server.get(path, bearer));
    }
    for (const answer of answers) {
      const told = answer.text + JSON.stringify(answer.headers);
      expect([told.includes(API_KEY), told.includes(API_TOKEN)]).toEqual([false, false]);
    }
    const { items } = (await server.get('/v1/llm-calls?include=bodies', bearer)).body;
    expect(items[0].requestHeaders).toMatchObject({ Authorization: '[REDACTED]' });
  });

  it('sends the headers of helmet, and none that let other sites in', async () => {
    const { headers } = await open.get('/v1/machines', { Origin: 'https://example.org' });
    expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff' });
    expect(Object.keys(headers).filter((name) => /^(access-control-|x-powered-by)/.test(name))).toEqual([]);
  });
});
