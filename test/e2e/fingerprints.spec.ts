import { readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { temporaryFolder } from '#lib/kernel/testing';
import { EventLog } from '#lib/event-store';
import { sha256 } from '#lib/kernel';
import { RedialServer } from '../support/redial-server.js';

const machine = {
  machineName: 'ballot',
  initialState: 'asked',
  goalState: 'closed',
  states: { asked: { transitions: { approve: 'closed' } }, closed: {} },
};
const body = { transitionName: 'approve', toState: 'closed' };
const key = { 'Idempotency-Key': 'one' };
/** As 0.2 recorded it: the members of the body without those of the path. */
const plain = sha256(JSON.stringify(body));

describe('0.2-O14 the fingerprint of a keyed body', () => {
  let place: { readonly dataDir: string };
  let server: RedialServer;
  let path: string;

  beforeEach(async () => {
    place = { dataDir: temporaryFolder() };
    server = await RedialServer.start({ place });
    await server.post('/v1/machines', machine);
    const created = await server.post('/v1/sessions', { machineName: 'ballot' });
    path = `/v1/sessions/${(created.body as { sessionId: string }).sessionId}`;
  });
  afterEach(async () => {
    await server.stop();
  });

  const decide = (given: object = body) => server.post(`${path}/transitions`, given, key);
  const restart = async (between: () => Promise<void> = () => Promise.resolve()) => {
    await server.stop();
    await between();
    server = await RedialServer.start({ place });
  };
  const file = (name: string) => join(place.dataDir, name);

  it('is in no event and no answer as the hash of the body', async () => {
    expect((await decide()).status).toBe(200);
    await server.post(`${path}/tick`, {}, key);
    const events = await server.app.get(EventLog).store.readAll({ limit: 1_000 });
    const text = JSON.stringify(events) + (await server.get(`${path}/events`)).text;
    for (const guess of [plain, sha256('{}')]) expect(text).not.toContain(guess);
    expect(text.match(/hmac:[0-9a-f]{8}:/g)?.length).toBeGreaterThan(2);
  });

  it('is recognised after a restart: a repeat gets the first answer, another body is refused', async () => {
    const first = await decide();
    await restart();
    expect((await decide()).body).toEqual(first.body);
    const other = await decide({ ...body, reasoning: 'Another one.' });
    expect([other.status, other.body]).toMatchObject([422, { code: 'idempotency-key-reused' }]);
  });

  it('is recognised by another process on the log', async () => {
    const first = await decide();
    const second = await RedialServer.start({ place });
    const repeat = await second.post(`${path}/transitions`, body, key);
    expect(repeat.body).toEqual(first.body);
    expect((await second.post(`${path}/transitions`, { ...body, reasoning: 'No.' }, key)).status).toBe(422);
    await second.stop();
  });

  it('is not compared once the key is lost: a repeat gets the first answer and adds nothing', async () => {
    const first = await decide();
    const head = await server.head();
    await restart(() => rm(file('keys.sqlite')));
    expect((await decide()).body).toEqual(first.body);
    expect(await server.head()).toBe(head);
  });

  it('has its key in a file that only its owner reads, and nothing of it in the log', async () => {
    await decide();
    expect((await stat(file('keys.sqlite'))).mode & 0o777).toBe(0o600);
    await server.stop();
    const keys = await readFile(file('keys.sqlite'), 'latin1');
    const [found = ''] = /[\w-]{43}(?![\w-])/.exec(keys) ?? [];
    expect(found).not.toBe('');
    expect(await readFile(file('log.sqlite'), 'latin1')).not.toContain(found);
    server = await RedialServer.start({ place });
  });
});
