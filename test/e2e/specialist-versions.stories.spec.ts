import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { toolCall } from '#lib/activities/testing';
import { describeOnEachEngine } from '../support/places/describe-on-engines.js';
import { RedialServer } from '../support/redial-server.js';

const states = {
  triage: {
    prompt: 'Pay?',
    transitions: { approve: { target: 'closed', description: 'Pay' }, deny: 'closed' },
  },
  closed: {},
};
/** Each test has a machine of its own. */
let machineName: string;
const bare = () => ({ machineName, initialState: 'triage', goalState: 'closed', states });
const clerk = (contextTemplate: string) =>
  ({ role: 'proposer', specialistId: 'clerk', contextTemplate, modelId: 'gpt-4o-mini' }) as const;
const strategy = (specialistId: string, strategyFnName: string, role = 'proposer') => ({
  role,
  specialistId,
  strategyFnName,
});
const ann = { role: 'proposer', specialistId: 'ann', isHuman: true };
const declaring = (...specialists: readonly object[]) => ({ ...bare(), specialists });

type Answer = { readonly [member: string]: unknown };
type Call = { specialistVersion: number; requestBody: { messages: { content: string }[] } };

describeOnEachEngine('specialists in versions over HTTP', (emptyPlace) => {
  let server: RedialServer;

  beforeAll(async () => {
    server = await RedialServer.start({ place: await emptyPlace(), script: () => toolCall('approve', {}) });
  });

  afterAll(() => server.stop());

  beforeEach(() => {
    machineName = `refunds-${randomUUID()}`;
  });

  async function ok(path: string, body: object = {}): Promise<Answer> {
    const response = await server.post(`/v1/${path}`, body);
    expect([path, response.status, response.status < 300 || response.body]).toEqual([
      path,
      response.status,
      true,
    ]);
    return response.body as Answer;
  }
  const get = async (path: string) => (await server.get(`/v1/${path}`)).body as Answer;
  const open = async (body: object = { machineName }) => (await ok('sessions', body))['sessionId'] as string;
  const register = (body: object) => ok('specialists', { machineName, ...body });
  const tick = (sessionId: string) => ok(`sessions/${sessionId}/tick`);
  const decide = (sessionId: string, specialistId = 'ann') =>
    ok(`sessions/${sessionId}/arbitrations`, { specialistId, transitionName: 'approve' });
  const promptsOf = async (sessionId: string) => {
    const { items } = await get(`sessions/${sessionId}/llm-calls`);
    return (items as Call[]).map(({ specialistVersion, requestBody }) => [
      specialistVersion,
      requestBody.messages.at(-1)?.content.split('\n').at(-1),
    ]);
  };

  it('X-T3: a changed prompt is asked by the next session, old sessions replay identical, alignment is by version', async () => {
    await ok('machines', declaring(clerk('old'), ann));
    const first = await open();
    await tick(first);
    await decide(first);
    const early = await open();
    expect(await ok('machines', declaring(clerk('new'), ann))).toMatchObject({ version: 2 });
    const next = await open();
    await tick(next);
    await tick(early);
    expect(await promptsOf(first)).toEqual([[1, 'old']]);
    expect(await promptsOf(early)).toEqual([[1, 'old']]);
    expect(await promptsOf(next)).toEqual([[2, 'new']]);
    expect(await get(`sessions/${next}/proposals`)).toMatchObject({ items: [{ specialistVersion: 2 }] });
    const untaught = { version: 2, contextTemplate: 'new', alignment: [] };
    expect(await get(`specialists/clerk?machineName=${machineName}`)).toMatchObject(untaught);
    await decide(next);
    await decide(early);
    expect(await get(`specialists/clerk?version=1&machineName=${machineName}`)).toMatchObject({
      alignment: [{ totalComparisons: 2 }],
    });
    expect(await get(`specialists/clerk?machineName=${machineName}`)).toMatchObject({
      alignment: [{ totalComparisons: 1 }],
    });
    expect(await get(`specialists/clerk/versions?machineName=${machineName}`)).toMatchObject({
      items: [
        { version: 1, current: false },
        { version: 2, current: true },
      ],
    });
    for (const sessionId of [first, early, next])
      expect(await ok(`sessions/${sessionId}/replay`)).toMatchObject({ identical: true });
  });

  it('X-T3: a proposer that the next version of a machine dropped is not asked there', async () => {
    const both = declaring(strategy('a', 'firstAvailable'), strategy('b', 'lastAvailable'));
    expect(await ok('machines', both)).toMatchObject({ version: 1 });
    expect(await ok('machines', declaring(strategy('b', 'lastAvailable')))).toMatchObject({ version: 2 });
    const sessionId = await open();
    await tick(sessionId);
    await tick(sessionId);
    expect(await get(`sessions/${sessionId}/proposals`)).toMatchObject({ items: [{ specialistId: 'b' }] });
    const refused = await server.post(`/v1/sessions/${sessionId}/proposals`, { specialistId: 'a' });
    expect([refused.status, (refused.body as { code: string }).code]).toEqual([404, 'unknown-specialist']);
    const again = await server.post('/v1/machines', both);
    expect([again.status, (again.body as { version: number }).version]).toEqual([200, 1]);
    expect(await get(`machines/${machineName}`)).toMatchObject({ version: 1 });
    const back = await open();
    expect(await tick(back)).toMatchObject({ specialistId: 'a' });
  });

  it('X-T3: a role that the machine declares is closed to others, and a judge registered later still decides', async () => {
    await ok('machines', declaring(strategy('a', 'firstAvailable')));
    await register(strategy('stranger', 'lastAvailable'));
    await register(strategy('judge', 'firstProposal', 'arbiter'));
    const sessionId = await open();
    const stranger = { specialistId: 'stranger', transitionName: 'deny' };
    const refused = await server.post(`/v1/sessions/${sessionId}/proposals`, stranger);
    expect([refused.status, (refused.body as { code: string }).code]).toEqual([422, 'wrong-specialist']);
    expect(await tick(sessionId)).toMatchObject({ status: 'advanced', transitionName: 'approve' });
  });

  it('X-T3: a specialist registered by itself takes part in the version that was current when the round began', async () => {
    await ok('machines', bare());
    await register(clerk('one'));
    const begun = await open();
    expect(await register(clerk('two'))).toMatchObject({ version: 2 });
    const after = await open();
    expect(await register(clerk('one'))).toMatchObject({ version: 1 });
    await tick(begun);
    await tick(after);
    expect(await promptsOf(begun)).toEqual([[1, 'one']]);
    expect(await promptsOf(after)).toEqual([[2, 'two']]);
  });

  it('X-T3: the specialists of a machine that comes with a session belong to it alone, and it teaches nothing', async () => {
    await ok('machines', declaring(strategy('a', 'firstAvailable'), ann));
    const machine = declaring(strategy('a', 'lastAvailable'), strategy('own', 'firstAvailable'), ann);
    const sessionId = await open({ machine });
    await tick(sessionId);
    await tick(sessionId);
    expect(await get(`sessions/${sessionId}/proposals`)).toMatchObject({
      items: [
        { specialistId: 'a', transitionName: 'deny' },
        { specialistId: 'own', transitionName: 'approve' },
      ],
    });
    await decide(sessionId);
    expect(await get(`machines/${machineName}/alignment`)).toMatchObject({ items: [] });
    expect(await get(`specialists/a?machineName=${machineName}`)).toMatchObject({
      version: 1,
      strategyFnName: 'firstAvailable',
    });
    expect((await server.get(`/v1/specialists/own?machineName=${machineName}`)).status).toBe(404);
    expect(await ok(`sessions/${sessionId}/replay`)).toMatchObject({ identical: true });
  });

  it('X-T3: a gate that was deleted and made again calls the new model', async () => {
    const gate = (template: string) => ({
      gateId: 'release',
      choices: { approve: { description: 'Ship' }, deny: {} },
      specialists: [clerk(template), strategy('judge', 'firstProposal', 'arbiter')],
    });
    await ok('gates', gate('old'));
    expect((await server.http.delete('/v1/gates/release')).status).toBe(200);
    await ok('gates', gate('new'));
    const { sessionId } = await ok('gates/release/invocations');
    expect(await promptsOf(sessionId as string)).toEqual([[2, 'new']]);
  });

  it('X-T8: a candidate that is registered disabled can be evaluated and is not asked', async () => {
    await ok('machines', bare());
    expect(await register({ ...strategy('candidate', 'firstAvailable'), disabled: true })).toMatchObject({
      enabled: false,
    });
    const sessionId = await open();
    expect(await tick(sessionId)).toMatchObject({ status: 'needs_human' });
    expect(await ok('specialists/candidate/evaluations', { against: 'decisions' })).toMatchObject({
      status: 'completed',
      specialistVersion: 1,
    });
    await ok('specialists/candidate/enable');
    expect(await tick(sessionId)).toMatchObject({ specialistId: 'candidate' });
  });

  it('X-T9: an id of several machines needs a machine', async () => {
    const maria = { ...ann, specialistId: 'maria' };
    const other = `${machineName}-other`;
    await register(maria);
    await ok('specialists', { ...maria, machineName: other });
    const refused = await server.post('/v1/specialists/maria/disable');
    expect(refused).toMatchObject({ status: 409, body: { code: 'ambiguous' } });
    expect(refused.text).toContain(`${machineName}, ${other}`);
    expect((await server.get('/v1/specialists/maria')).status).toBe(409);
    expect(await ok(`specialists/maria/disable?machineName=${other}`)).toMatchObject({ enabled: false });
    expect(await get(`specialists/maria?machineName=${machineName}`)).toMatchObject({ enabled: true });
    const twice = `/v1/specialists/maria/enable?machineName=${other}`;
    expect((await server.post(twice, { machineName: other })).status).toBe(400);
    expect(await ok('specialists/maria/enable', { machineName: other })).toMatchObject({ enabled: true });
  });

  it('X-U4, X-T9: registering warns of misspelt names in templates, and of a person who is not registered yet', async () => {
    const misspelt = await register(clerk('{{promt}}'));
    expect(misspelt['warnings']).toMatchObject([{ path: '/contextTemplate' }]);
    expect(await register(clerk('{{prompt}}'))).not.toHaveProperty('warnings');
    const eve = { ...ann, specialistId: 'eve', personId: 'eve-at-work' };
    expect((await register(eve))['warnings']).toMatchObject([{ path: '/personId' }]);
    await ok('people', { personId: 'eve-at-work', role: 'reviewer' });
    expect(await register(eve)).not.toHaveProperty('warnings');
    const specialists = [
      { ...clerk('{{promt}}'), machineName: undefined },
      { role: 'proposer', specialistId: 'x', isHuman: true, personId: 'nobody' },
    ];
    const gate = await ok('gates', { gateId: 'poll', choices: { yes: 'Agree' }, specialists });
    const paths = (gate['warnings'] as { readonly path: string }[]).map(({ path }) => path);
    expect(paths).toEqual(['/specialists/0/contextTemplate', '/specialists/1/personId']);
  });

  it('X-T3: two registrations at once are one version each, without gaps', async () => {
    const bodies = Array.from({ length: 6 }, (_, n) => clerk(`prompt ${n}`));
    const versions = await Promise.all(bodies.map(async (body) => Number((await register(body))['version'])));
    expect(versions.toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6]);
  });
});
