import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { door } from '../support/door.js';
import { API_TOKEN, RedialServer } from '../support/redial-server.js';
import { sentEvents, type SentEvent } from '../support/sent-events.js';

const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });
const operator = bearer(API_TOKEN);

describe('the event stream of the whole log', () => {
  let server: RedialServer;
  let viewer: Record<string, string>;
  let leaving: AbortController;

  beforeAll(async () => {
    server = await RedialServer.start({ environment: { REDIAL_API_TOKEN: API_TOKEN } });
    const { body } = await server.post('/v1/people', { personId: 'vic', role: 'viewer' }, operator);
    viewer = bearer((body as { token: string }).token);
    await server.post('/v1/machines', door, operator);
  });
  afterAll(() => server.stop());
  beforeEach(() => {
    leaving = new AbortController();
  });
  afterEach(() => leaving.abort());

  const open = (query = '', headers: Readonly<Record<string, string>> = operator) =>
    fetch(`${server.url}/v1/events/stream${query}`, { headers, signal: leaving.signal });
  const openSession = async () =>
    ((await server.post('/v1/sessions', { machineName: 'door' }, operator)).body as { sessionId: string })
      .sessionId;
  const streamOf = (sessionId: string) => server.log.streams.of('session', sessionId);
  const next = async (events: AsyncGenerator<SentEvent>) => {
    const { value } = await events.next();
    return value as SentEvent;
  };

  it('sends every event, then those to come, and resumes after a position', async () => {
    const events = sentEvents(await open());
    expect((await next(events)).event).toBe('PersonRegistered');
    const sessionId = await openSession();
    let last = await next(events);
    while (last.event !== 'SessionCreated') last = await next(events);
    const list = (await server.get(`/v1/sessions/${sessionId}/events`, operator)).body.items as object[];
    expect(last.data).toEqual(list[0]);
    const again = sentEvents(await open('', { ...operator, 'Last-Event-ID': last.id }));
    const later = await openSession();
    expect((await next(again)).data).toMatchObject({ stream: streamOf(later) });
  });

  it('sends the named types alone, and refuses a type that no event has', async () => {
    const sessionId = await openSession();
    const events = sentEvents(await open('?types=SessionCreated,TransitionExecuted'));
    let last = await next(events);
    while ((last.data as { stream?: string }).stream !== streamOf(sessionId)) {
      expect(last.event).toBe('SessionCreated');
      last = await next(events);
    }
    const refused = await open('?types=SessionCreated,Nothing');
    expect([refused.status, await refused.json()]).toEqual([
      400,
      expect.objectContaining({ errors: [{ path: '/types', message: 'no event has the type Nothing' }] }),
    ]);
  });

  it('shows content to operators alone; a viewer is told of an event once lists show it', async () => {
    expect((await open('', viewer)).status).toBe(403);
    const head = await server.head();
    const events = sentEvents(await open(`?content=off&lastEventId=${head}`, viewer));
    const sessionId = await openSession();
    const sent = await next(events);
    expect(sent).toEqual({
      id: expect.any(String),
      event: 'SessionCreated',
      data: { position: sent.id, stream: streamOf(sessionId), revision: 0, type: 'SessionCreated' },
    });
    const { body } = await server.get('/v1/sessions', viewer);
    expect(body.items).toContainEqual(expect.objectContaining({ sessionId }));
  });

  it('ends for a viewer whose token has ended, before the next event', async () => {
    const { body } = await server.post('/v1/people', { personId: 'leaver', role: 'viewer' }, operator);
    const { token } = body as { token: string };
    const events = sentEvents(await open(`?content=off&lastEventId=${await server.head()}`, bearer(token)));
    expect((await server.http.delete('/v1/people/leaver').set(operator)).status).toBe(204);
    expect(await events.next()).toEqual({ done: true, value: undefined });
  });

  it('sends an event that cannot be read as a notice with its problem, and goes on', async () => {
    const events = sentEvents(await open(`?lastEventId=${await server.head()}`));
    const stream = server.log.streams.of('person', 'nobody');
    const unknown = { eventId: randomUUID(), type: 'OfALaterVersion', data: '{}', metadata: '{}' };
    await server.log.store.append(stream, 'no-stream', [unknown]);
    expect(await next(events)).toMatchObject({
      event: 'OfALaterVersion',
      data: { stream, revision: 0, problem: expect.stringMatching(/^\[UnknownEvent\] .* cannot be read/) },
    });
    const sessionId = await openSession();
    expect((await next(events)).data).toMatchObject({ stream: streamOf(sessionId) });
  });
});
