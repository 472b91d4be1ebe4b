import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Place } from '../support/places/place.js';
import { ServerPlaces } from '../support/places/server-places.js';
import { variablesOf } from '../support/places/variables-of.js';
import { ServerProcess } from '../support/server-process.js';
import { HttpCaller } from './http-caller.js';
import { NextBuild } from './next-build.js';

const door = {
  machineName: 'door',
  initialState: 'closed',
  goalState: 'open',
  states: { closed: { transitions: { push: 'open' } }, open: {} },
};

describe('a rolling upgrade to a build with one more event version, on EventStoreDB and PostgreSQL', () => {
  let places: ServerPlaces;
  let place: Place;
  let next: NextBuild;
  const processes: ServerProcess[] = [];

  beforeAll(async () => {
    [places, next] = await Promise.all([ServerPlaces.start(), NextBuild.make()]);
    place = await places.emptyPlace();
    processes.push(await start(), await start());
    await caller(0).post('/v1/machines', door);
  });
  afterAll(async () => {
    await Promise.all(processes.map((each) => each.kill()));
    await places.stop();
  });

  function start(main?: string): Promise<ServerProcess> {
    return ServerProcess.start(variablesOf(place), main);
  }

  /** As a deployment does it: the old process stops, then the new one starts. */
  async function replace(n: number): Promise<void> {
    expect(await processes[n]?.stop()).toBe(0);
    processes[n] = await start(next.main);
  }

  const caller = (n: number) => new HttpCaller(processes[n]?.url ?? '');
  const create = async (n: number) => {
    const { status, body } = await caller(n).post('/v1/sessions', { machineName: 'door' });
    expect(status).toBe(201);
    return String(body['sessionId']);
  };
  const push = (n: number, sessionId: string) =>
    caller(n).post(`/v1/sessions/${sessionId}/transitions`, { transitionName: 'push', toState: 'open' });

  const sessions: string[] = [];

  it('new and old processes continue what the old ones have written', async () => {
    sessions.push(await create(0), await create(1));
    await replace(0);
    for (const [n, sessionId] of sessions.entries()) {
      const { status, body, position } = await push(n, sessionId);
      expect([status, body['currentState']]).toEqual([200, 'open']);
      for (const reader of [0, 1]) {
        const read = await caller(reader).get(`/v1/sessions/${sessionId}?minPosition=${position}`);
        expect(read.body['currentState']).toBe('open');
      }
    }
  });

  it('an old one refuses what it cannot read with a sentence, so that a new one can be asked', async () => {
    const sessionId = await create(0);
    sessions.push(sessionId);
    const refused = await push(1, sessionId);
    expect(refused).toMatchObject({ status: 503, body: { code: 'unknown-event' } });
    expect(refused.body['detail']).toMatch(
      /^\[UnknownEvent\] event SessionCreated at .* its schema version 4 is not known here\. Run a version of Redial that knows it/,
    );
    expect((await push(0, sessionId)).status).toBe(200);
  });

  it('all is as if there had been one build once the last old one is replaced', async () => {
    await replace(1);
    for (const sessionId of sessions) {
      const replayed = await caller(1).post(`/v1/sessions/${sessionId}/replay`, {});
      expect(replayed.body).toMatchObject({ identical: true });
    }
    const { position } = await push(1, await create(1));
    const { body } = await caller(0).get(`/v1/sessions?minPosition=${position}`);
    expect((body['items'] as readonly unknown[]).length).toBe(sessions.length + 1);
    expect((await caller(0).get('/health/ready')).status).toBe(200);
  });
});
