import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ScriptedLlmServer, toolCall } from '#lib/activities/testing';
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

function expectUnknown({ status, body }: Awaited<ReturnType<HttpCaller['post']>>): void {
  expect(status).toBeGreaterThanOrEqual(400);
  expect(body['detail']).toMatch(/^\[UnknownEvent\].* Run a version of Redial that knows it/);
}

describe.each([
  ['embedded', async () => embeddedPlaces],
  ['on EventStoreDB and PostgreSQL', () => ServerPlaces.start()],
] as const)('0.2.0 on a log of this release, %s', (_, startPlaces) => {
  let places: Places;
  let place: Place;
  let process: ServerProcess;
  let former: FormerRelease;
  let llm: ScriptedLlmServer;
  let head: string;
  let timed: string;
  const sessions: Record<string, string> = {};
  const read = (path: string) => new HttpCaller(process.url).get(path);
  const post = (path: string, body: object) => new HttpCaller(process.url).post(path, body);

  const start = async (main?: string) => {
    const model = { OPENAI_API_KEY: 'sk-canary-0123456789', OPENAI_BASE_URL: llm.baseUrl };
    process = await ServerProcess.start({ ...variablesOf(place), ...model, LOG_LEVEL: 'fatal' }, main);
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
  /** A run that waits for an approval, whose clock an operator has asked for. @returns its id */
  const timedRun = async () => {
    const policy = { needsApproval: true };
    const execution = { webhookUrl: 'http://127.0.0.1:9/' };
    const tool = {
      toolId: 'charge',
      description: 'Charges',
      parameters: { type: 'object' },
      execution,
      policy,
    };
    expect(await post('/v1/tools', tool)).toMatchObject({ status: 201 });
    const input = { systemPrompt: 'Plan', model: 'gpt-4o-mini', tools: ['charge'], userPrompt: 'Charge' };
    const { body, position } = await post('/v1/runs', { workflow: 'planner', input, waitMs: 5_000 });
    const tasks = await read(`/v1/tasks?runId=${String(body['runId'])}&minPosition=${position}`);
    const [{ taskId }] = tasks.body['items'] as [{ taskId: string }];
    const dueAt = new Date(Date.now() + 86_400_000).toISOString();
    expect(await post(`/v1/tasks/${taskId}/extend`, { dueAt })).toMatchObject({
      status: 200,
      body: { dueAt },
    });
    return String(body['runId']);
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
    llm = await ScriptedLlmServer.start([toolCall('charge', {})]);
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
    timed = await timedRun();
    expect(await post('/v1/seals', {})).toMatchObject({ status: 201 });
  });
  afterAll(async () => {
    await process.kill();
    await llm.close();
    await places.stop();
  });

  it('continues what it knows, and neither decides nor writes where a rule is new to it', async () => {
    const before = await revisions(head);
    const { body: events } = await read(`/v1/runs/${timed}/events?limit=500`);
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
      tried.forEach(expectUnknown);
    }
    expectUnknown(await post(`/v1/runs/${timed}/signals/approval`, { payload: { approved: true } }));
    expectUnknown(await post(`/v1/runs/${timed}/cancel`, {}));
    await replaceBy();
    expect((await read(`/v1/runs/${timed}/events?limit=500`)).body).toEqual(events);
    expect(await post(`/v1/runs/${timed}/replay`, {})).toMatchObject({ body: { identical: true } });
    expect(await revisions(pushed.position)).toEqual({ ...before, plain: (before['plain'] ?? 0) + 1 });
    for (const sessionId of Object.values(sessions))
      expect(await post(`/v1/sessions/${sessionId}/replay`, {})).toMatchObject({ body: { identical: true } });
  });
});
