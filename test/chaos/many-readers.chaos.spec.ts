import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { temporaryFolder } from '#lib/kernel/testing';
import { refunds } from '../support/refunds.js';
import { ServerProcess } from '../support/server-process.js';
import { HttpCaller } from './http-caller.js';

const READERS = 49;
const SESSIONS = 12;
const EVENT_BYTES = 400_000;

let server: ServerProcess;

beforeEach(async () => {
  const dataDir = temporaryFolder();
  server = await ServerProcess.start({ REDIAL_DATA_DIR: dataDir, NODE_OPTIONS: '--max-old-space-size=256' });
});

afterEach(async () => {
  await server.kill();
});

async function opened(path: string): Promise<IncomingMessage> {
  const [response] = (await once(get(`${server.url}${path}`, { agent: false }), 'response')) as [
    IncomingMessage,
  ];
  return response;
}

it('0.2-X4: a server with a heap of 256 MB stays up with 49 readers of events of 400 kB, read to the end and left unread', async () => {
  const caller = new HttpCaller(server.url);
  await caller.post('/v1/machines', refunds);
  const ids: string[] = [];
  for (let n = 0; n < SESSIONS; n++) {
    const metaJson = { n, photo: 'x'.repeat(EVENT_BYTES) };
    const { status, body } = await caller.post('/v1/sessions', { machineName: 'refunds', metaJson });
    expect(status).toBe(201);
    await caller.post(`/v1/sessions/${String(body['sessionId'])}/transitions`, {
      transitionName: 'escalate',
      toState: 'review',
      metaJson,
    });
    ids.push(String(body['sessionId']));
  }
  const paths = (what: string) =>
    Array.from({ length: READERS }, (_, n) => `/v1/sessions/${ids[n % SESSIONS]}/${what}`);
  const unread = await Promise.all(paths('events/stream').map(opened));
  for (const stream of unread) stream.on('error', () => undefined);
  const statuses = await Promise.all(
    paths('events').map(async (path) => {
      const response = await opened(path);
      for await (const _ of response);
      return response.statusCode;
    }),
  );
  expect(statuses.filter((status) => status !== 200 && status !== 503)).toEqual([]);
  expect(statuses).toContain(200);
  for (const stream of unread) stream.destroy();
  expect((await caller.get('/health/ready')).status).toBe(200);
});
