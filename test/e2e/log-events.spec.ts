import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type EventNotice, followEvents, RedialClient, type RecordedEventView } from '#lib/client';
import { Redial } from '#lib/engine';
import { door } from '../support/door.js';
import { API_TOKEN, RedialServer } from '../support/redial-server.js';

const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });
const operator = bearer(API_TOKEN);

type Listed = RecordedEventView | EventNotice;

describe('the events of the whole log', () => {
  let server: RedialServer;
  let viewerToken: string;
  let client: RedialClient;

  beforeAll(async () => {
    server = await RedialServer.start({ environment: { REDIAL_API_TOKEN: API_TOKEN } });
    client = new RedialClient({ url: server.url, token: API_TOKEN });
    viewerToken = (await client.registerPerson({ personId: 'vic', role: 'viewer' })).token ?? '';
    await server.post('/v1/machines', door, operator);
  });
  afterAll(() => server.stop());

  const list = async (query: string, headers = operator) => {
    const { status, body } = await server.get(`/v1/events${query}`, headers);
    return {
      status,
      ...(body as { items: Listed[]; nextCursor: string | null; code?: string; errors?: object[] }),
    };
  };
  const openSession = async () => (await client.createSession({ machineName: 'door' })).sessionId;

  it('are listed as in the list of a session, after a position, page by page', async () => {
    const from = await server.head();
    const sessionId = await openSession();
    const { items } = await list(`?types=SessionCreated&from=${from}`);
    const ofSession = await client.listSessionEvents({ sessionId });
    expect(items).toEqual(ofSession.items);
    const first = await list('?limit=1');
    expect(first.items).toMatchObject([
      { type: 'PersonRegistered', revision: 0, summary: expect.any(String) },
    ]);
    const second = await list(`?limit=1&cursor=${first.nextCursor}`);
    expect(second.items).toHaveLength(1);
    expect((second.items[0] as Listed).position > (first.items[0] as Listed).position).toBe(true);
  });

  it('are refused with a type that no event has, and after a position of another log', async () => {
    expect(await list('?types=SessionCreated,Nothing')).toMatchObject({
      status: 400,
      errors: [{ path: '/types', message: 'no event has the type Nothing' }],
    });
    expect(await list('?from=other.00000000000000000001')).toMatchObject({
      status: 400,
      errors: [{ path: '/from', message: 'is not a position of this log' }],
    });
  });

  it('have content for operators alone; viewers see position, stream, revision and type', async () => {
    expect(await list('', bearer(viewerToken))).toMatchObject({ status: 403, code: 'role' });
    const { items } = await list('?content=off&limit=1', bearer(viewerToken));
    const [{ stream }] = (await list('?limit=1')).items as [Listed];
    expect(items).toEqual([{ position: expect.any(String), stream, revision: 0, type: 'PersonRegistered' }]);
  });

  it('are listed for code of the process', async () => {
    const { items } = await server.app.get(Redial).listEvents({ types: 'MachineDefined', limit: 1 });
    expect(items).toMatchObject([{ type: 'MachineDefined' }]);
  });

  it('are followed by the client, by type, and resumed after the last one that it has', async () => {
    const leaving = new AbortController();
    const options = { url: server.url, token: API_TOKEN };
    const types = ['SessionCreated'];
    const [before, sessionId] = [await server.head(), await openSession()];
    const follow = (after: string | undefined) =>
      followEvents(options, { types, after, signal: leaving.signal });
    const seen: Listed[] = [];
    for await (const event of follow(before)) {
      seen.push(event);
      break;
    }
    expect(seen).toEqual((await client.listSessionEvents({ sessionId })).items);
    const resumed = follow((seen[0] as Listed).position);
    const later = await openSession();
    const { value } = await resumed.next();
    expect(value).toEqual((await client.listSessionEvents({ sessionId: later })).items[0]);
    await resumed.return();
  });

  it('list an event that cannot be read with its problem, and those after it', async () => {
    const from = await server.head();
    const stream = server.log.streams.of('person', 'unknown');
    const unknown = { eventId: randomUUID(), type: 'OfALaterVersion', data: '{}', metadata: '{}' };
    await server.log.store.append(stream, 'no-stream', [unknown]);
    await openSession();
    const { items } = await list(`?from=${from}`);
    expect(items.slice(0, 2)).toMatchObject([
      { type: 'OfALaterVersion', problem: expect.stringMatching(/^\[UnknownEvent\]/) },
      { type: 'SessionCreated', summary: expect.any(String) },
    ]);
  });
});
