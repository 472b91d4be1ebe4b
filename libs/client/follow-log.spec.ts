import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from '@jest/globals';
import { RedialProblem } from './call-over-http.js';
import { followLog } from './follow-log.js';

/** The calls of a follower of a server that answers so, and how following ended. */
async function followed(answer: RequestListener): Promise<{ calls: unknown[]; error: unknown }> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const calls: unknown[] = [];
  const onOpen = () => void calls.push('open');
  const onEvent = (position: string) => void calls.push(position);
  const follower = { after: 'a1', signal: AbortSignal.timeout(30_000), onOpen, onEvent };
  const error: unknown = await followLog({ url, token: 'secret' }, follower).catch(
    (thrown: unknown) => thrown,
  );
  server.close();
  return { calls, error };
}

it('gives the position of each event, however the stream is cut into parts, until the connection ends', async () => {
  const requests: unknown[] = [];
  const { calls, error } = await followed(({ url, headers }, response) => {
    requests.push([url, headers.authorization]);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(': heartbeat\n\nid: a');
    setImmediate(() => response.end('2\nevent: x\ndata: {"text":"id: a9"}\n\nid: a3\ndata: {}\n\n'));
  });
  expect(requests).toEqual([['/v1/events/stream?content=off&lastEventId=a1', 'Bearer secret']]);
  expect(calls).toEqual(['open', 'a2', 'a3']);
  expect(error).toBeUndefined();
});

it('throws the problem of a server that refuses, and no web page opens a stream', async () => {
  const refused = await followed((_, response) => {
    response.writeHead(401, { 'content-type': 'application/problem+json' }).end('{"code":"unauthorized"}');
  });
  expect(refused).toMatchObject({ calls: [], error: { status: 401, problem: { code: 'unauthorized' } } });
  const page = await followed((_, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Sign in</h1>');
  });
  expect(page.calls).toEqual([]);
  expect(page.error).toBeInstanceOf(RedialProblem);
});
