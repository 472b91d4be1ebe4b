import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { API_TOKEN, RedialServer } from '../support/redial-server.js';
import { openRefund } from '../support/refunds.js';

const bearer = { Authorization: `Bearer ${API_TOKEN}` };

/** The answer of a server to these bytes, until it closes the connection. */
async function rawAnswer(url: string, text: string): Promise<{ status: number; type: string; body: object }> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname).setEncoding('utf8');
  let answer = '';
  socket.on('data', (part: string) => (answer += part));
  socket.write(text);
  await once(socket, 'end');
  socket.destroy();
  const [head = '', body = ''] = answer.split('\r\n\r\n');
  return {
    status: Number(/^HTTP\/1\.1 (\d+)/.exec(head)?.[1]),
    type: /content-type: ([\w/+]+)/i.exec(head)?.[1] ?? '',
    body: JSON.parse(body) as object,
  };
}

describe('requests that are not for this server', () => {
  describe('without a token', () => {
    let server: RedialServer;

    beforeAll(async () => {
      server = await RedialServer.start();
    });
    afterAll(() => server.stop());

    it.each([
      ['X-S5', 'a host that was bound anew', { Host: 'rebound.example' }],
      ['X-S5', "another site's page", { Origin: 'http://evil.example' }],
      ['X-S5', 'a sandboxed page', { Origin: 'null' }],
    ])('%s: refuses %s: 403, whatever it wants', async (_, _what, headers) => {
      const sessionId = await openRefund(server);
      const head = await server.head();
      const decision = { transitionName: 'approve', toState: 'closed' };
      for (const answer of [
        await server.get('/v1/sessions', headers),
        await server.get('/health/live', headers),
        await server.get('/nowhere', headers),
        await server.post(`/v1/sessions/${sessionId}/transitions`, decision, headers),
      ]) {
        expect(answer).toMatchObject({
          status: 403,
          type: 'application/problem+json',
          body: { code: 'foreign-origin', detail: expect.stringMatching(/^\[ForeignOrigin\] /) },
        });
      }
      expect(await server.head()).toBe(head);
    });

    it('X-S5: answers under the names of this host, and its own pages', async () => {
      const { port } = new URL(server.url);
      for (const name of ['localhost', '127.0.0.1', '[::1]']) {
        const host = `${name}:${port}`;
        const answer = await server.get('/v1/sessions', { Host: host, Origin: `http://${host}` });
        expect([name, answer.status]).toEqual([name, 200]);
      }
    });

    it.each(['tick', 'run'])(
      'X-S6: refuses a cross-site %s, which has no body and costs calls',
      async (call) => {
        const sessionId = await openRefund(server);
        const path = `/v1/sessions/${sessionId}/${call}`;
        const answer = await server.http.post(path).set('Sec-Fetch-Site', 'cross-site');
        expect([answer.status, answer.body.code]).toEqual([403, 'foreign-origin']);
        const link = await server.get(`/v1/sessions/${sessionId}`, { 'Sec-Fetch-Site': 'cross-site' });
        expect(link.status).toBe(200);
      },
    );

    it('X-S12: sends no Strict-Transport-Security over plain http', async () => {
      const { headers } = await server.get('/health/live');
      expect(headers).not.toHaveProperty('strict-transport-security');
    });

    it.each([
      [400, 'malformed-request', 'no HTTP at all', 'nonsense\r\n\r\n'],
      [400, 'malformed-request', 'no Host', 'GET /v1/sessions HTTP/1.1\r\nConnection: close\r\n\r\n'],
      [
        431,
        'headers-too-large',
        'huge headers',
        `GET / HTTP/1.1\r\nHost: localhost\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`,
      ],
      [
        417,
        'expectation-failed',
        'an Expect that nothing meets',
        'POST /v1/tick HTTP/1.1\r\nHost: localhost\r\nExpect: more\r\nContent-Length: 0\r\n\r\n',
      ],
    ])('X-S12: answers %d with a problem (%s) to %s', async (status, code, _what, text) => {
      const answer = await rawAnswer(server.url, text);
      expect(answer).toMatchObject({
        status,
        type: 'application/problem+json',
        body: { status, code, detail: expect.stringMatching(/^\[[A-Z]\w+\] /) },
      });
      expect('errors' in answer.body).toBe(status === 400);
    });

    it.each([
      ['/v1/models?priceVersion=never', '/priceVersion'],
      ['/v1/machines/refunds/alignment?rule=luck', '/rule'],
      ['/v1/machines/%ZZ', ''],
    ])('X-S12: names what is malformed in %s', async (path, pointer) => {
      await openRefund(server);
      const { status, body } = await server.get(path);
      expect([status, body.errors]).toEqual([400, [{ path: pointer, message: expect.any(String) }]]);
    });

    it('X-S12: opens at most 50 event streams of a session: 429, until one closes', async () => {
      const sessionId = await openRefund(server);
      const url = `${server.url}/v1/sessions/${sessionId}/events/stream`;
      const leaving = new AbortController();
      const one = new AbortController();
      const signal = AbortSignal.any([leaving.signal, one.signal]);
      const open = [await fetch(url, { signal })];
      for (let count = 1; count < 50; count++) open.push(await fetch(url, { signal: leaving.signal }));
      expect(new Set(open.map(({ status }) => status))).toEqual(new Set([200]));
      const refused = await fetch(url);
      expect([refused.status, refused.headers.get('retry-after'), await refused.json()]).toEqual([
        429,
        '10',
        expect.objectContaining({ code: 'too-many-streams' }),
      ]);
      one.abort();
      let again = await fetch(url, { signal: leaving.signal });
      while (again.status === 429) again = await fetch(url, { signal: leaving.signal });
      expect(again.status).toBe(200);
      leaving.abort();
    });
  });

  it('X-S5: leaves Host and Origin to the proxy when there is a token, and refuses cross-site calls still', async () => {
    const server = await RedialServer.start({ environment: { REDIAL_API_TOKEN: API_TOKEN } });
    const proxied = { ...bearer, Host: 'redial.example', Origin: 'https://console.example' };
    expect((await server.get('/v1/sessions', proxied)).status).toBe(200);
    expect((await server.post('/v1/tick', {}, proxied)).status).toBe(200);
    const site = { ...proxied, 'Sec-Fetch-Site': 'cross-site' };
    expect((await server.post('/v1/tick', {}, site)).status).toBe(403);
    await server.stop();
  });
});
