import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { toolCall } from '#lib/activities/testing';
import { describeOnEachEngine } from '../support/places/describe-on-engines.js';
import { RedialServer } from '../support/redial-server.js';
import { openRefund } from '../support/refunds.js';
import { sentEvents, type SentEvent } from '../support/sent-events.js';

describeOnEachEngine('the event stream of a session', (emptyPlace) => {
  let server: RedialServer;
  let sessionId: string;
  let leaving: AbortController;

  beforeAll(async () => {
    server = await RedialServer.start({ place: await emptyPlace(), script: () => toolCall('approve', {}) });
  });
  afterAll(() => server.stop());

  beforeEach(async () => {
    leaving = new AbortController();
    sessionId = await openRefund(server);
  });
  afterEach(() => leaving.abort());

  async function open(query = '', headers: Readonly<Record<string, string>> = {}) {
    const url = `${server.url}/v1/sessions/${sessionId}/events/stream${query}`;
    const response = await fetch(url, { headers, signal: leaving.signal });
    expect([response.status, response.headers.get('content-type')]).toEqual([
      200,
      expect.stringMatching(/^text\/event-stream/),
    ]);
    return sentEvents(response);
  }

  async function take(events: AsyncGenerator<SentEvent>, count: number): Promise<SentEvent[]> {
    const taken: SentEvent[] = [];
    while (taken.length < count) {
      const next = await events.next();
      if (next.done === true) throw new Error(`The stream ended after ${taken.length} events.`);
      taken.push(next.value);
    }
    return taken;
  }

  const propose = () => server.post(`/v1/sessions/${sessionId}/proposals`, { specialistId: 'clerk' });
  const recorded = async () =>
    (await server.get(`/v1/sessions/${sessionId}/events`)).body.items as { position: string; type: string }[];

  it('sends what is there and then what comes, each event once, as the list has it', async () => {
    const events = await open();
    const first = await take(events, 1);
    expect(first).toMatchObject([{ event: 'SessionCreated' }]);
    await server.post('/v1/sessions', { machineName: 'refunds' });
    await propose();
    const all = [...first, ...(await take(events, 6))];
    const list = await recorded();
    expect(all).toEqual(list.map((event) => ({ id: event.position, event: event.type, data: event })));
  });

  it('resumes after the position in Last-Event-ID, or in the query when there is no header', async () => {
    await propose();
    const list = await recorded();
    const [, , third = { position: '' }, fourth] = list;
    const byHeader = await open('', { 'Last-Event-ID': third.position });
    expect(await take(byHeader, 1)).toMatchObject([{ id: fourth?.position }]);
    const byQuery = await open(`?lastEventId=${third.position}`);
    const [last] = (await take(byQuery, list.length - 3)).slice(-1);
    expect(last?.id).toBe(list.at(-1)?.position);
    const both = await open(`?lastEventId=${third.position}`, {
      'Last-Event-ID': list.at(-1)?.position ?? '',
    });
    await server.post(`/v1/sessions/${sessionId}/transitions`, {
      transitionName: 'approve',
      toState: 'closed',
    });
    expect(await take(both, 1)).toMatchObject([{ event: 'TransitionExecuted' }]);
  });

  it('loses and repeats nothing while many events come, whenever it is opened', async () => {
    const escalated = await server.post('/v1/machines', {
      machineName: 'circle',
      initialState: 'a',
      goalState: 'z',
      states: { a: { transitions: { on: 'b', end: 'z' } }, b: { transitions: { on: 'a' } }, z: {} },
    });
    expect(escalated.status).toBe(201);
    sessionId = (await server.post('/v1/sessions', { machineName: 'circle' })).body.sessionId;
    const streams: AsyncGenerator<SentEvent>[] = [];
    for (let turn = 0; turn < 60; turn++) {
      if (turn % 10 === 5) streams.push(await open());
      const toState = turn % 2 === 0 ? 'b' : 'a';
      await server.post(`/v1/sessions/${sessionId}/transitions`, { transitionName: 'on', toState });
    }
    const positions = (await server.get(`/v1/sessions/${sessionId}/events?limit=500`)).body.items.map(
      ({ position }: { position: string }) => position,
    );
    expect(positions).toHaveLength(61);
    for (const stream of streams) {
      expect((await take(stream, 61)).map(({ id }) => id)).toEqual(positions);
    }
  });

  it('refuses malformed and foreign positions before it streams: 400', async () => {
    for (const position of ['nonsense', `other.${'0'.repeat(20)}`]) {
      const path = `/v1/sessions/${sessionId}/events/stream`;
      const answers = {
        'Last-Event-ID': await server.get(path, { 'Last-Event-ID': position }),
        lastEventId: await server.get(`${path}?lastEventId=${position}`),
        minPosition: await server.get(`${path}?minPosition=${position}`),
      };
      for (const [name, answer] of Object.entries(answers)) {
        expect(answer).toMatchObject({
          status: 400,
          type: 'application/problem+json',
          body: { code: 'foreign-position', errors: [{ path: `/${name}`, message: expect.any(String) }] },
        });
      }
    }
  });

  it('answers HEAD without streaming', async () => {
    const { status, headers } = await server.http.head(`/v1/sessions/${sessionId}/events/stream`);
    expect([status, headers['content-type']]).toEqual([200, expect.stringMatching(/^text\/event-stream/)]);
  });
});
