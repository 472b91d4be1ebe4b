import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { RedialServer } from '../support/redial-server.js';
import { clerk, openRefund, refunds } from '../support/refunds.js';

const NOBODY = '00000000-0000-4000-8000-000000000000';
const DETAIL = /^\[[A-Z][A-Za-z]+\] .+: .+[.!?] .+[.!?]$/s;
const deep = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;

const members = (count: number) => Array.from({ length: count }, (_, n) => `"m${n}":0`).join();

describe('bad input over HTTP', () => {
  let server: RedialServer;
  let sessionId: string;
  let head: string | undefined;

  beforeAll(async () => {
    server = await RedialServer.start();
    sessionId = await openRefund(server);
    head = await server.head();
  });

  afterAll(async () => {
    expect(await server.head()).toBe(head);
    await server.stop();
  });

  function expectProblem(
    response: { status: number; type: string; body: object },
    status: number,
    more: object = {},
  ): void {
    expect(response.body).toMatchObject({
      type: expect.stringMatching(/^\/problems\/[a-z0-9-]+$/),
      title: expect.any(String),
      status,
      detail: expect.stringMatching(DETAIL),
      code: expect.stringMatching(/^[a-z0-9-]+$/),
      ...more,
    });
    expect([response.status, response.type]).toEqual([status, 'application/problem+json']);
  }

  it.each([
    ['malformed JSON', '{"machineName":', 'malformed-json'],
    ['an array', '[]', 'malformed-request'],
    ['a text', '"refunds"', 'malformed-request'],
    ['null', 'null', 'malformed-request'],
    ['nothing', '', 'malformed-request'],
    ['blanks', '   ', 'malformed-json'],
    ['what is nested too deep', `{"a":${deep(5000)}}`, 'malformed-request'],
    ['25,001 members', `{"a":{${members(25_000)}}}`, 'malformed-request'],
    ['25,001 objects', `{"a":[${Array.from({ length: 25_000 }, () => '{}').join()}]}`, 'malformed-request'],
  ])('refuses %s for a body: 400', async (_what, text, code) => {
    for (const path of ['/v1/machines', '/v1/machines/validate']) {
      expectProblem(await server.http.post(path).type('json').send(text), 400, { code });
    }
  });

  it.each([
    ['/v1/sessions', {}, '/machineName'],
    ['/v1/sessions', { machineName: 'refunds', machine: refunds }, '/machineName'],
    ['/v1/sessions', { machine: refunds, machineVersion: 1 }, '/machineName'],
    ['/v1/sessions', { machineName: 7 }, '/machineName'],
    ['/v1/sessions', { machineName: 'refunds', machineVersion: '1' }, '/machineVersion'],
    ['/v1/sessions', { machineName: 'refunds', metaJson: [] }, '/metaJson'],
    ['/v1/sessions', { machineName: 'refunds', metaJson: null }, '/metaJson'],
    ['/v1/sessions', { machineName: 'refunds', extra: 1 }, '/extra'],
    ['/v1/sessions', { machine: { ...refunds, states: 7 } }, '/machine/states'],
    ['/v1/sessions', { machine: [] }, '/machine'],
    ['/v1/specialists', {}, '/specialistId'],
    ['/v1/specialists', { ...clerk, role: 'judge' }, '/role'],
    ['/v1/specialists', { ...clerk, specialistId: '-x' }, '/specialistId'],
    ['/v1/specialists', { ...clerk, isHuman: 'yes' }, '/isHuman'],
    ['/v1/specialists', { ...clerk, constructor: 1 }, '/constructor'],
    ['/v1/specialists/clerk/disable', { really: true }, '/really'],
    ['/v1/machines', { ...refunds, extra: 1 }, '/extra'],
    [
      '/v1/machines',
      { ...refunds, states: { triage: { transitions: { 'a/b': 1 } }, closed: {} } },
      '/states/triage/transitions/a~1b',
    ],
  ])('says what is malformed in %s %j: 400', async (path, body, pointer) => {
    const answer = await server.post(path, body);
    expectProblem(answer, 400);
    const { errors } = answer.body as { errors: { path: string; message: string }[] };
    expect(errors).toContainEqual({ path: pointer, message: expect.any(String) });
  });

  it('says what is wrong beside its path, without naming it again', async () => {
    const answer = await server.post('/v1/specialists', { ...clerk, role: 'judge' });
    expectProblem(answer, 400, {
      errors: [{ path: '/role', message: 'must be one of the following values: proposer, arbiter' }],
      detail: expect.stringContaining('the request: /role must be one of'),
    });
  });

  it.each(['__proto__', 'toString', 'hasOwnProperty'])(
    'finds that %s is no property of a body',
    async (name) => {
      const sent = `{"machineName":"refunds","${name}":{"isAdmin":true}}`;
      const answer = await server.http.post('/v1/sessions').type('json').send(sent);
      expectProblem(answer, 400, { errors: [{ path: `/${name}`, message: expect.any(String) }] });
    },
  );

  it.each([
    ['proposals', {}],
    ['proposals', { specialistId: 'clerk', costUSD: -1 }],
    ['proposals', { specialistId: 'clerk', numInputTokens: 1.5 }],
    ['proposals', { specialistId: 'clerk', reasoning: null }],
    ['proposals', { specialistId: 'clerk', toState: 'closed' }],
    ['transitions', { transitionName: 'approve' }],
    ['transitions', { transitionName: 'approve', toState: 'closed', isHuman: true }],
    ['replay', { fast: true }],
  ])('refuses a malformed body for %s: %j', async (call, body) => {
    expectProblem(await server.post(`/v1/sessions/${sessionId}/${call}`, body), 400, {
      errors: expect.arrayContaining([{ path: expect.stringMatching(/^\//), message: expect.any(String) }]),
    });
  });

  it('refuses bytes that are no UTF-8: 400', async () => {
    const bytes = Buffer.from('{"machineName":"refunds","metaJson":{"text":"\u00ff"}}', 'latin1');
    const sent = server.http
      .post('/v1/sessions')
      .type('json')
      .serialize((sentBytes) => sentBytes as string)
      .send(bytes);
    expectProblem(await sent, 400, { code: 'malformed-json' });
  });

  it('says of a value of another type only that', async () => {
    const errors = [{ path: '/maxTicks', message: 'must be an integer number' }];
    expectProblem(await server.post(`/v1/sessions/${sessionId}/run`, { maxTicks: 'ten' }), 400, { errors });
  });

  it('refuses parameters of a POST that it does not read: 400', async () => {
    const answer = await server.post('/v1/sessions?machineVersion=2', { machineName: 'refunds' });
    expectProblem(answer, 400, { errors: [{ path: '/machineVersion', message: expect.any(String) }] });
  });

  it('refuses bodies over 1 MiB: 413', async () => {
    const body = { machineName: 'refunds', metaJson: { text: 'x'.repeat(2 * 1024 * 1024) } };
    expectProblem(await server.post('/v1/sessions', body), 413, { code: 'body-too-large' });
  });

  it('refuses bodies that are not JSON: 415', async () => {
    const sent = server.http.post('/v1/machines').type('text/plain').send(JSON.stringify(refunds));
    expectProblem(await sent, 415, { code: 'unsupported-media-type' });
    const form = server.http.post('/v1/specialists/clerk/disable').type('form').send('a=1');
    expectProblem(await form, 415);
  });

  it.each([
    ['limit=0', '/limit'],
    ['limit=501', '/limit'],
    ['limit=ten', '/limit'],
    ['limit=1.5', '/limit'],
    ['limit=', '/limit'],
    ['limit=1&limit=2', '/limit'],
    ['page=2', '/page'],
    ['__proto__=1', '/__proto__'],
    ['constructor=1', '/constructor'],
  ])('refuses the parameter %s of every list: 400', async (query, path) => {
    const lists = ['machines', 'gates', 'specialists', 'sessions', 'llm-calls'];
    const ofSession = ['proposals', 'events', 'llm-calls'].map((list) => `sessions/${sessionId}/${list}`);
    for (const list of [...lists, ...ofSession]) {
      expectProblem(await server.get(`/v1/${list}?${query}`), 400, {
        errors: expect.arrayContaining([expect.objectContaining({ path })]),
      });
    }
  });

  it('refuses cursors of another list or of nobody: 400', async () => {
    const { nextCursor } = (await server.get(`/v1/sessions/${sessionId}/events?limit=1`)).body;
    expect(nextCursor).toBeNull();
    const foreign = Buffer.from('["machines","refunds"]').toString('base64url');
    for (const cursor of ['nonsense', foreign]) {
      expectProblem(await server.get(`/v1/sessions?cursor=${cursor}`), 400, {
        code: 'invalid-cursor',
        errors: [{ path: '/cursor', message: 'is not a cursor of this list' }],
      });
    }
  });

  it('refuses prices of a version that there is not: 400', async () => {
    expectProblem(await server.get('/v1/models?priceVersion=never'), 400, {
      code: 'unknown-price-version',
    });
  });

  it.each([
    'status=gone',
    'status=',
    'role=judge',
    'version=0',
    'outcome=fine',
    'from=yesterday',
    'to=2026-13-01',
  ])('refuses the filter %s: 400', async (query) => {
    const [name = ''] = query.split('=');
    const path =
      { status: 'sessions', role: 'specialists', version: 'machines/refunds' }[name] ?? 'llm-calls';
    expectProblem(await server.get(`/v1/${path}?${query}`), 400, {
      errors: [{ path: `/${name}`, message: expect.any(String) }],
    });
  });

  it('refuses malformed and foreign positions on every GET: 400', async () => {
    const foreign = `other.${'0'.repeat(20)}`;
    const paths = [
      'machines',
      'machines/refunds',
      'machines/refunds/diagram',
      'gates',
      'gates/nobody',
      'specialists',
      'specialists/clerk',
      'sessions',
      'llm-calls',
      'projections',
      `sessions/${sessionId}`,
      ...['at/0', 'proposals', 'events', 'events/stream', 'llm-calls'].map(
        (part) => `sessions/${sessionId}/${part}`,
      ),
    ].map((path) => `v1/${path}`);
    for (const path of ['metrics', ...paths]) {
      for (const position of ['', 'nonsense', foreign]) {
        expectProblem(await server.get(`/${path}?minPosition=${position}`), 400, {
          errors: [{ path: '/minPosition', message: expect.any(String) }],
        });
      }
    }
  });

  it.each([
    ['/v1/machines/nobody', 'unknown-machine'],
    ['/v1/machines/refunds?version=9', 'unknown-machine'],
    ['/v1/machines/%20bad', 'unknown-machine'],
    ['/v1/specialists/nobody', 'unknown-specialist'],
    ['/v1/specialists/%00', 'unknown-specialist'],
    ...['', '/at/0', '/proposals', '/events', '/events/stream', '/llm-calls'].flatMap((part) => [
      [`/v1/sessions/${NOBODY}${part}`, 'unknown-session'] as const,
      [`/v1/sessions/nobody${part}`, 'unknown-session'] as const,
    ]),
    ['/v1/nothing', 'not-found'],
    ['/v1/sessions/x/y/z', 'not-found'],
    ['/docs/nothing.js', 'not-found'],
  ])('finds nothing at %s: 404', async (path, code) => {
    expectProblem(await server.get(path), 404, { code });
  });

  it.each([
    ['put', '/v1/machines', 'GET, HEAD, OPTIONS, POST'],
    ['delete', '/v1/sessions/x/events/stream', 'GET, HEAD, OPTIONS'],
    ['get', '/v1/tick/', 'OPTIONS, POST'],
    ['post', '/health/live', 'GET, HEAD, OPTIONS'],
    ['patch', '/openapi.json', 'GET, HEAD, OPTIONS'],
  ] as const)(
    'names the methods of a path to %s %s: 405, and to OPTIONS: 204',
    async (method, path, allow) => {
      const refused = await server.http[method](path);
      expectProblem(refused, 405, { code: 'method-not-allowed' });
      const options = await server.http.options(path);
      expect([options.status, refused.headers['allow'], options.headers['allow']]).toEqual([
        204,
        allow,
        allow,
      ]);
      expectProblem(await server.http.options('/v1/nothing'), 404, { code: 'not-found' });
    },
  );

  it('answers HEAD as GET, without the body', async () => {
    const head = await server.http.head('/v1/machines');
    expect([head.status, head.text]).toEqual([200, undefined]);
    expect(head.headers['content-type']).toBe('application/json; charset=utf-8');
  });

  it('D-21: finds no session to act on: 404', async () => {
    const bodies = {
      proposals: { specialistId: 'clerk' },
      transitions: { transitionName: 'approve', toState: 'closed' },
      replay: {},
    };
    for (const [call, body] of Object.entries(bodies)) {
      expectProblem(await server.post(`/v1/sessions/${NOBODY}/${call}`, body), 404, {
        code: 'unknown-session',
      });
    }
    const nobody = await server.post(`/v1/sessions/${sessionId}/proposals`, { specialistId: 'nobody' });
    expectProblem(nobody, 404, { code: 'unknown-specialist' });
    expectProblem(await server.post('/v1/sessions', { machineName: 'nobody' }), 404, {
      code: 'unknown-machine',
    });
  });

  it('answers a path that cannot be decoded: 400', async () => {
    expectProblem(await server.get('/v1/machines/%ZZ'), 400);
  });

  it('refuses what breaks a rule: 422', async () => {
    const act = (call: string, body: object) => server.post(`/v1/sessions/${sessionId}/${call}`, body);
    expectProblem(await act('transitions', { transitionName: 'refuse', toState: 'closed' }), 422, {
      code: 'transition-not-offered',
    });
    expectProblem(await act('transitions', { transitionName: 'constructor', toState: 'closed' }), 422, {
      code: 'transition-not-offered',
    });
    expectProblem(await act('transitions', { transitionName: 'approve', toState: 'review' }), 422, {
      code: 'state-mismatch',
    });
    expectProblem(await act('proposals', { specialistId: 'clerk', transitionName: 'refuse' }), 422, {
      code: 'transition-not-offered',
    });
    const invalid = await server.post('/v1/machines', { ...refunds, goalState: 'nowhere' });
    expectProblem(invalid, 422, {
      code: 'invalid-machine',
      errors: expect.arrayContaining([expect.objectContaining({ path: expect.any(String) })]),
    });
    const along = await server.post('/v1/sessions', { machine: { ...refunds, goalState: 'nowhere' } });
    expectProblem(along, 422, { errors: [{ path: '/machine/goalState', message: expect.any(String) }] });
  });

  it('refuses a round that never was of this session: 409', async () => {
    for (const roundId of [NOBODY, 'nonsense']) {
      const body = { specialistId: 'clerk', transitionName: 'approve', roundId };
      expectProblem(await server.post(`/v1/sessions/${sessionId}/proposals`, body), 409, {
        code: 'unknown-round',
      });
    }
  });
});

describe('numbers that no event can hold', () => {
  let server: RedialServer;
  beforeAll(async () => (server = await RedialServer.start()));
  afterAll(() => server.stop());

  it('X-T10: are refused with their path, in every body', async () => {
    const sessionId = await openRefund(server);
    for (const [path, text, pointer] of [
      ['/v1/sessions', '{"machineName":"refunds","metaJson":{"a":[1,1e999]}}', '/metaJson/a/1'],
      [
        `/v1/sessions/${sessionId}/proposals`,
        '{"specialistId":"clerk","metaJson":{"a/b":-1e999}}',
        '/metaJson/a~1b',
      ],
      [
        '/v1/machines/validate',
        `{"states":${'{"a":'.repeat(50)}1e400${'}'.repeat(50)}}`,
        `/states${'/a'.repeat(50)}`,
      ],
    ] as const) {
      const answer = await server.http.post(path).type('json').send(text);
      expect([answer.status, answer.body]).toMatchObject([400, { errors: [{ path: pointer }] }]);
    }
  });
});
