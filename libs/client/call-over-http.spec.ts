import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from '@jest/globals';
import { callOverHttp, RedialProblem } from './call-over-http.js';

/** The error of a call to a server that answers so. */
async function rejectionBy(answer: RequestListener): Promise<unknown> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  try {
    return await callOverHttp(
      { url, actorToken: 'secret' },
      { method: 'POST', path: '/v1/sessions' },
      {},
    ).then(
      (value) => ({ value }),
      (error: unknown) => error,
    );
  } finally {
    server.close();
  }
}

it('follows no redirection: another server would see the tokens', async () => {
  const paths: unknown[] = [];
  const error = await rejectionBy((request, response) => {
    paths.push(request.url);
    response.writeHead(302, { location: '/login' }).end();
  });
  expect(paths).toEqual(['/v1/sessions']);
  expect(error).toBeInstanceOf(RedialProblem);
  expect(error).toMatchObject({ status: 502, message: expect.stringContaining('Correct the address') });
});

it('takes no web page for an answer', async () => {
  const error = await rejectionBy((_, response) => {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end('<h1>Sign in</h1>');
  });
  expect(error).toMatchObject({ status: 502, message: expect.stringContaining('Correct the address') });
});

it('gives the status of an error page: a proxy sends one if the server answers late', async () => {
  const error = await rejectionBy((_, response) => {
    response.writeHead(504, { 'content-type': 'text/html' }).end('<h1>Gateway Time-out</h1>');
  });
  expect(error).toMatchObject({ status: 504, message: expect.stringContaining('answered 504') });
});

it('says how long a server that is full asks to be left alone', async () => {
  const busy = (retryAfter: string) =>
    rejectionBy((_, response) => {
      response.writeHead(429, { 'retry-after': retryAfter }).end();
    });
  expect(await busy('7')).toMatchObject({ status: 429, retryAfterMs: 7_000 });
  expect(await busy('soon')).toMatchObject({ status: 429, retryAfterMs: undefined });
});

it.each([[undefined], [null], [''], ['.'], ['..']])(
  'sends no call whose path %j would make another one',
  async (sessionId) => {
    const sent: unknown[] = [];
    const send = (async (address) => {
      sent.push(address);
      return Response.json({});
    }) as typeof fetch;
    const server = { url: 'http://127.0.0.1', fetch: send };
    const call = callOverHttp(server, { method: 'GET', path: '/v1/sessions/:sessionId' }, { sessionId });
    await expect(call).rejects.toMatchObject({
      status: 404,
      message: expect.stringMatching(/sessionId: .* names nothing/),
    });
    expect(sent).toEqual([]);
  },
);

it('sends null for a body that is not given: the server says that it must be an object', async () => {
  const send = (async (_, init) => new Response(init?.body as string)) as typeof fetch;
  const route = { method: 'POST', path: '/v1/machines', whole: 'definition' } as const;
  expect(await callOverHttp({ url: 'http://127.0.0.1', fetch: send }, route, {})).toBe('null');
});
