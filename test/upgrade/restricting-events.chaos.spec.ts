import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { HttpCaller } from '../chaos/http-caller.js';
import { embeddedPlaces } from '../support/places/embedded-places.js';
import type { Place, Places } from '../support/places/place.js';
import { ServerPlaces } from '../support/places/server-places.js';
import { variablesOf } from '../support/places/variables-of.js';
import { ServerProcess } from '../support/server-process.js';
import { FormerRelease } from './former-release.js';

/** Open, until somebody pushes it. */
const door = (machineName: string, members: object = {}, push: object = {}) => ({
  machineName,
  initialState: 'closed',
  goalState: 'open',
  states: { closed: { transitions: { push: { target: 'open', ...push } } }, open: {} },
  ...members,
});
const specialists = [{ role: 'proposer', specialistId: 'ann', isHuman: true }];

const RESTRICTING = {
  'whose transition needs a person': door('needs', { specialists }, { needsPerson: true }),
  'that names its people': door('named', { people: { groups: ['desk'] } }),
  'that excludes a person': door('excluding', { specialists, people: { exclude: ['eve'] } }),
  'that needs two approvals': door('approvals', { people: { groups: ['desk'], approvals: 2 } }),
  'that a timer decides': door('timed', {
    specialists,
    states: {
      closed: { transitions: { push: 'open' }, after: [{ in: 'P30D', transition: 'push' }] },
      open: {},
    },
  }),
} as const;

const push = { transitionName: 'push', toState: 'open' };

describe.each([
  ['embedded', async () => embeddedPlaces],
  ['on EventStoreDB and PostgreSQL', () => ServerPlaces.start()],
] as const)('0.2.0 on a log of this release, %s', (_, startPlaces) => {
  let places: Places;
  let place: Place;
  let process: ServerProcess;
  let former: FormerRelease;
  let head: string;
  const sessions: Record<string, string> = {};
  const read = (path: string) => new HttpCaller(process.url).get(path);
  const post = (path: string, body: object) => new HttpCaller(process.url).post(path, body);

  const start = async (main?: string) => {
    const variables = Object.entries(variablesOf(place)).filter(([, value]) => value !== undefined);
    const environment = { ...(Object.fromEntries(variables) as Record<string, string>), LOG_LEVEL: 'fatal' };
    process = await ServerProcess.start(environment, main);
  };
  /** In place of the other: one process at a time has the files. */
  const replaceBy = async (main?: string) => {
    expect(await process.stop()).toBe(0);
    await start(main);
  };
  const created = async (machineName: string) => {
    const { status, body } = await post('/v1/sessions', { machineName });
    expect(status).toBe(201);
    return String(body['sessionId']);
  };
  /** The number of events of each session, once the rows have the log up to this position. */
  const revisions = async (minPosition: string) => {
    const found: Record<string, number> = {};
    for (const [name, sessionId] of Object.entries(sessions)) {
      const { body } = await read(`/v1/sessions/${sessionId}/events?limit=500&minPosition=${minPosition}`);
      found[name] = (body['items'] as readonly unknown[]).length;
    }
    return found;
  };

  beforeAll(async () => {
    [places, former] = await Promise.all([startPlaces(), FormerRelease.unpacked()]);
    place = await places.emptyPlace(true);
    await start();
    for (const machine of [
      door('plain', { properties: [{ reaches: 'open' }] }),
      ...Object.values(RESTRICTING),
    ]) {
      expect(await post('/v1/machines', machine)).toMatchObject({ status: 201 });
      sessions[machine.machineName] = await created(machine.machineName);
    }
    const forked = await post(`/v1/sessions/${sessions['plain']}/forks`, { atRevision: 0 });
    sessions['fork'] = String(forked.body['sessionId']);
    head = forked.position;
  });
  afterAll(async () => {
    await process.kill();
    await places.stop();
  });

  it('continues what it knows, and neither decides nor writes where a rule is new to it', async () => {
    const before = await revisions(head);
    await replaceBy(former.main);
    const { plain = '', ...restricted } = sessions;
    const pushed = await post(`/v1/sessions/${plain}/transitions`, push);
    expect(pushed.status).toBe(200);
    for (const sessionId of Object.values(restricted)) {
      const tried = [
        await post(`/v1/sessions/${sessionId}/transitions`, push),
        await post(`/v1/sessions/${sessionId}/arbitrations`, { transitionName: 'push', specialistId: 'ann' }),
        await post(`/v1/sessions/${sessionId}/tick`, {}),
      ];
      for (const { status, body } of tried) {
        expect(status).toBeGreaterThanOrEqual(400);
        expect(body['detail']).toMatch(/^\[UnknownEvent\].* Run a version of Redial that knows it/);
      }
    }
    await replaceBy();
    expect(await revisions(pushed.position)).toEqual({ ...before, plain: (before['plain'] ?? 0) + 1 });
    for (const sessionId of Object.values(sessions))
      expect(await post(`/v1/sessions/${sessionId}/replay`, {})).toMatchObject({ body: { identical: true } });
  });
});
