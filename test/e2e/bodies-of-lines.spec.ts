import { connect } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { afterEach, expect, it } from '@jest/globals';
import { Redial } from '#lib/engine';
import { API_TOKEN, RedialServer } from '../support/redial-server.js';
import { reviewedRefunds } from '../support/reviewed-refunds.js';

const MIB = 1024 * 1024;
const PATH = '/v1/histories/forks';

/** The types of `fetch` lack what a body without a length needs. */
interface UnendedRequest extends RequestInit {
  readonly duplex: 'half';
}

let server: RedialServer;
afterEach(() => server.stop());

const send = (body: string | Buffer, headers: Readonly<Record<string, string>> = {}) =>
  server.http
    .post(PATH)
    .set({ 'content-type': 'application/x-ndjson', ...headers })
    .send(body);

const codeOf = ({ status, body }: { readonly status: number; readonly body: unknown }) =>
  [status, (body as { code: string }).code] as const;

/** A request whose head and beginning are on the way. Its client ends it by hand. */
function begun(length: number, beginning: string) {
  const { hostname, port } = new URL(server.url);
  const socket = connect(Number(port), hostname);
  let answer = '';
  socket.setEncoding('utf8').on('data', (text: string) => (answer += text));
  socket.on('error', () => undefined);
  const head = [`POST ${PATH} HTTP/1.1`, 'Host: localhost', 'Content-Type: application/x-ndjson'];
  socket.write(`${[...head, `Content-Length: ${length}`, '', ''].join('\r\n')}${beginning}`);
  return { socket, answer: () => answer };
}

it('a body of lines of another type, encoded, larger than 64 MiB, or whose first line is no object is refused', async () => {
  server = await RedialServer.start();
  const head = await server.log.store.head();
  expect(codeOf(await server.post(PATH, { atRevision: 0 }))).toEqual([415, 'unsupported-media-type']);
  expect(codeOf(await send('{}', { 'content-encoding': 'gzip' }))).toEqual([415, 'unsupported-media-type']);
  expect(codeOf(await send('no object\n'))).toEqual([400, 'malformed-json']);
  expect(codeOf(await send(Buffer.from([0x7b, 0x7d, 0x0a, 0xff])))).toEqual([400, 'malformed-json']);
  expect(codeOf(await send('{"atRevision":0}\nno history\n'))).toEqual([422, 'history-broken']);
  const announced = begun(64 * MIB + 1, '{}');
  await new Promise((resolve) => announced.socket.once('data', resolve));
  expect(announced.answer()).toMatch(/^HTTP\/1.1 413 /);
  announced.socket.destroy();
  // Without a length it is refused once it is too large.
  const chunked = await fetch(`${server.url}${PATH}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-ndjson' },
    body: new ReadableStream({
      pull: (stream) => stream.enqueue(Buffer.alloc(MIB, 0x0a)),
    }),
    duplex: 'half',
  } satisfies UnendedRequest).then(
    ({ status }) => status,
    // The connection may be gone before the answer is read.
    () => undefined,
  );
  expect([413, undefined]).toContain(chunked);
  expect(await server.log.store.head()).toBe(head);
});

it('only operators may send a history file', async () => {
  server = await RedialServer.start({ environment: { REDIAL_API_TOKEN: API_TOKEN } });
  const operator = { authorization: `Bearer ${API_TOKEN}` };
  const statuses: unknown[] = [];
  for (const role of ['viewer', 'reviewer', 'operator']) {
    const { body } = await server.post('/v1/people', { personId: role, role }, operator);
    const { token } = body as { token: string };
    statuses.push(codeOf(await send('{"atRevision":0}\n', { authorization: `Bearer ${token}` })));
  }
  expect(statuses).toEqual([
    [403, 'role'],
    [403, 'role'],
    [422, 'history-broken'],
  ]);
  expect((await send('{"atRevision":0}\n')).status).toBe(401);
});

it('bodies are read one after another, and clients that hang up hold up no other one', async () => {
  server = await RedialServer.start();
  const redial = server.app.get(Redial);
  await redial.defineMachine(reviewedRefunds);
  const { sessionId } = await redial.createSession({ machineName: 'refunds' });
  const history = await (await fetch(`${server.url}/v1/sessions/${sessionId}/history`)).text();
  const lines = `{"atRevision":0}\n${history}`;
  const waiting = Array.from({ length: 3 }, () => begun(Buffer.byteLength(lines), lines));
  const forks = async () => (await redial.listSessions({ forkedFrom: sessionId })).items.length;
  // The first one is gone once its work has begun; the last one before its turn.
  const [first, second, last] = waiting;
  first?.socket.destroy();
  last?.socket.destroy();
  while (second?.answer() === '') await setImmediate();
  expect(second?.answer()).toMatch(/^HTTP\/1.1 201 /);
  second?.socket.destroy();
  expect(codeOf(await send('{"atRevision":0}\n'))).toEqual([422, 'history-broken']);
  expect(await forks()).toBeGreaterThanOrEqual(1);
});
