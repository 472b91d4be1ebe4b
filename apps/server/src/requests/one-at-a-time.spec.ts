import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, expect, it } from '@jest/globals';
import { oneAtATime } from './one-at-a-time.js';

let server: Server;

async function listen(serve: RequestListener): Promise<number> {
  server = createServer(oneAtATime(serve));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return (server.address() as AddressInfo).port;
}

afterEach(async () => {
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
});

function requests(count: number): string {
  return Array.from({ length: count }, (_, n) => `GET /${n} HTTP/1.1\r\nHost: a\r\n\r\n`).join('');
}

it('0.2-S8: a connection that sends many requests at once gets its answers in order, and another one is answered in between', async () => {
  const served: string[] = [];
  const port = await listen((request, response) => {
    served.push(request.url ?? '');
    response.end(`<${request.url}>`);
  });
  const many = connect(port, '127.0.0.1');
  let answers = '';
  many.on('data', (text) => (answers += String(text)));
  many.write(requests(5_000));
  await once(many, 'data');
  const [other] = (await once(get({ port, host: '127.0.0.1', path: '/other' }), 'response')) as [
    IncomingMessage,
  ];
  other.resume();
  expect(served.indexOf('/other')).toBeLessThan(1_000);
  while (!answers.includes('</4999>')) await once(many, 'data');
  const expected = Array.from({ length: 5_000 }, (_, n) => `</${n}>`);
  expect(answers.match(/<[^>]+>/g)).toEqual(expected);
  many.destroy();
});

it('0.2-S8: what a connection sends while one of its requests is in work stays on the connection', async () => {
  let release: () => void = () => undefined;
  let socket: Socket | undefined;
  const port = await listen((request, response) => {
    ({ socket } = request);
    release = () => response.end();
    if (request.url !== '/0') release();
  });
  const many = connect(port, '127.0.0.1');
  const text = requests(20_000).repeat(40);
  many.write(text);
  const first = new Promise<void>((resolve) => server.once('request', () => resolve()));
  await first;
  // The loop turns often enough to read all of it.
  for (let turn = 0; turn < 500; turn++) await new Promise((resolve) => setImmediate(resolve));
  expect(socket?.bytesRead).toBeLessThan(1_000_000);
  expect(text.length).toBeGreaterThan(20_000_000);
  release();
  await once(many, 'data');
  many.destroy();
});

it('0.2-S8: a connection that goes takes its waiting requests along', async () => {
  const served: string[] = [];
  let gone: Promise<unknown> | undefined;
  const port = await listen((request) => {
    served.push(request.url ?? '');
    gone = once(request.socket, 'close');
  });
  const many = connect(port, '127.0.0.1');
  many.write(requests(5));
  await once(server, 'request');
  many.destroy();
  await gone;
  for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve));
  expect(served).toEqual(['/0']);
});
