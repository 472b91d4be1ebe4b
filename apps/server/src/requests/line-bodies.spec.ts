import { once } from 'node:events';
import { createServer, request as ask } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { afterEach, expect, it } from '@jest/globals';
import { ExpressAdapter } from '@nestjs/platform-express';
import type { Application } from 'express';
import { holdTurn, readLineBodies } from './line-bodies.js';

const server = createServer();
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

it('a body stays the only one in memory until its work has ended, also where its client hung up', async () => {
  const end: (() => void)[] = [];
  const counts = { came: 0, gone: 0, begun: 0 };
  const app = new ExpressAdapter().getInstance<Application>();
  app.use((_request, response, next) => {
    counts.came += 1;
    response.once('close', () => (counts.gone += 1));
    next();
  });
  app.use(readLineBodies(), (request, response) => {
    counts.begun += 1;
    const work = new Promise<void>((resolve) => end.push(resolve));
    holdTurn(request, work);
    void work.then(() => response.end('done'));
  });
  await once(server.on('request', app).listen(0, '127.0.0.1'), 'listening');
  const until = async (condition: () => boolean) => {
    while (!condition()) await setImmediate();
  };
  const first = begun();
  await until(() => counts.begun === 1);
  first.destroy();
  await until(() => counts.gone === 1);
  const second = begun();
  const answered = new Promise((resolve) => second.once('response', resolve));
  await until(() => counts.came === 2);
  for (let turns = 0; turns < 100; turns++) await setImmediate();
  expect(counts.begun).toBe(1);
  end[0]?.();
  await until(() => counts.begun === 2);
  end[1]?.();
  await answered;
});

function begun() {
  const { port } = server.address() as AddressInfo;
  const headers = { 'content-type': 'application/x-ndjson' };
  const sent = ask({ port, host: '127.0.0.1', method: 'POST', path: '/v1/histories/forks', headers });
  return sent.on('error', () => undefined).end('{"atRevision":0}\n');
}
