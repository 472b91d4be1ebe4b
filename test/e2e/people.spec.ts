import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { door } from '../support/door.js';
import { API_TOKEN, RedialServer } from '../support/redial-server.js';
import { sentEvents } from '../support/sent-events.js';

const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });
const operator = bearer(API_TOKEN);

describe('people (X-T9)', () => {
  let server: RedialServer;
  const add = (body: object, headers: Record<string, string> = operator) =>
    server.post('/v1/people', body, headers);

  beforeAll(async () => {
    server = await RedialServer.start({ environment: { REDIAL_API_TOKEN: API_TOKEN } });
  });
  afterAll(() => server.stop());

  it('are registered once, with a token that no other answer and no event holds', async () => {
    const first = await add({ personId: 'ann', name: 'Ann', role: 'reviewer' });
    expect([first.status, first.body]).toEqual([
      201,
      { personId: 'ann', name: 'Ann', role: 'reviewer', token: expect.stringMatching(/^ann\./) },
    ]);
    expect(first.headers['redial-position']).toBe(await server.head());
    const { token } = first.body as { token: string };
    const again = await add({ personId: 'ann', name: 'Ann', role: 'reviewer' });
    expect([again.status, again.body]).toEqual([200, { personId: 'ann', name: 'Ann', role: 'reviewer' }]);
    const other = await add({ personId: 'ann', role: 'viewer' });
    expect([other.status, other.body.code]).toEqual([409, 'person-exists']);
    const events = await server.log.store.readAll({ limit: 100 });
    expect(JSON.stringify(events)).not.toContain(token);
    const shown = await server.get('/v1/people/ann', bearer(token));
    expect(shown.body).toEqual({
      personId: 'ann',
      name: 'Ann',
      role: 'reviewer',
      createdAt: expect.any(String),
    });
  });

  it('have the same token under the same key again', async () => {
    const key = { ...operator, 'Idempotency-Key': 'k1' };
    const first = await add({ personId: 'keyed', role: 'viewer' }, key);
    const again = await add({ personId: 'keyed', role: 'viewer' }, key);
    expect([again.status, again.body, again.headers['redial-position']]).toEqual([
      201,
      first.body,
      first.headers['redial-position'],
    ]);
    expect((await add({ personId: 'keyed', role: 'operator' }, key)).status).toBe(422);
  });

  it('have the groups of the first answer in each repeat of a keyed call, whatever has come since', async () => {
    await add({ personId: 'grouped', role: 'viewer' });
    const put = async (key: string, ...groups: readonly string[]) => {
      const headers = { ...operator, 'Idempotency-Key': key };
      const { status, body } = await server.http
        .put('/v1/people/grouped/groups')
        .set(headers)
        .send({ groups });
      return { status, body: body as object };
    };
    const first = await put('g1', 'a');
    expect(first).toMatchObject({ status: 200, body: { personId: 'grouped', groups: ['a'] } });
    expect(first.body).toEqual((await server.get('/v1/people/grouped', operator)).body);
    const unchanged = await put('g2', 'a');
    expect(unchanged).toEqual(first);
    expect((await put('g3', 'b')).body).toMatchObject({ groups: ['b'] });
    expect([await put('g1', 'a'), await put('g2', 'a')]).toEqual([first, first]);
    await server.http.delete('/v1/people/grouped').set(operator);
    expect([await put('g1', 'a'), await put('g2', 'a')]).toEqual([first, first]);
    expect((await put('g4', 'a')).status).toBe(404);
  });

  it('read no event that is written after their token has ended: an open stream ends', async () => {
    const { token } = (await add({ personId: 'reader', role: 'viewer' })).body as { token: string };
    await server.post('/v1/machines', door, operator);
    const { sessionId } = (await server.post('/v1/sessions', { machineName: 'door' }, operator)).body as {
      sessionId: string;
    };
    const address = `${server.url}/v1/sessions/${sessionId}/events/stream`;
    const sent = sentEvents(await fetch(address, { headers: bearer(token) }));
    expect((await sent.next()).value).toMatchObject({ event: 'SessionCreated' });
    expect((await server.http.delete('/v1/people/reader').set(operator)).status).toBe(204);
    const transition = { transitionName: 'push', toState: 'open' };
    const executed = await server.post(`/v1/sessions/${sessionId}/transitions`, transition, operator);
    expect(executed.status).toBe(200);
    expect(await sent.next()).toEqual({ done: true, value: undefined });
  });

  it('may do what their role says, and lose it with their token at once', async () => {
    const roles = ['viewer', 'reviewer', 'operator'] as const;
    for (const role of roles) {
      const { body } = await add({ personId: role, role });
      const { token } = body as { token: string };
      expect((await server.get('/v1/machines', bearer(token))).status).toBe(200);
      const posted = await server.post('/v1/people', { personId: `of-${role}`, role }, bearer(token));
      expect([posted.status, posted.body.code]).toEqual(
        role === 'operator' ? [201, undefined] : [403, 'role'],
      );
      const old = await server.post('/v1/machines', {}, bearer(token));
      expect([old.status, old.body.code]).toEqual(
        role === 'operator' ? [422, 'invalid-machine'] : [403, 'role'],
      );
      const next = await server.post(`/v1/people/${role}/token`, {}, operator);
      expect(next.status).toBe(201);
      expect((await server.get('/v1/machines', bearer(token))).status).toBe(401);
      const { token: newer } = next.body as { token: string };
      const deleted = await server.http.delete(`/v1/people/${role}`).set(operator);
      expect([deleted.status, deleted.text]).toEqual([204, '']);
      expect((await server.get('/v1/machines', bearer(newer))).status).toBe(401);
      expect((await server.get(`/v1/people/${role}`, operator)).body.code).toBe('unknown-person');
    }
  });

  describe('who act as human specialists', () => {
    const human = { role: 'proposer', specialistId: 'chair', isHuman: true } as const;
    const machine = (machineName: string, more: object = {}) => ({
      machineName,
      initialState: 'a',
      goalState: 'z',
      states: { a: { transitions: { go: 'z' } }, z: {} },
      specialists: [{ ...human, ...more }],
    });
    async function decided(machineName: string, headers: Record<string, string>) {
      const { body } = await server.post('/v1/sessions', { machineName }, operator);
      const { sessionId } = body as { sessionId: string };
      const decision = { specialistId: 'chair', transitionName: 'go' };
      return server.post(`/v1/sessions/${sessionId}/arbitrations`, decision, headers);
    }

    it('do so with one token for all machines, as bearer or beside another one', async () => {
      const { token } = (await add({ personId: 'eva', role: 'reviewer' })).body as { token: string };
      for (const name of ['one', 'two']) {
        const made = await server.post('/v1/machines', machine(name, { personId: 'eva' }), operator);
        expect(made.status).toBe(201);
        expect(made.body).not.toHaveProperty('actorTokens');
        expect((await decided(name, bearer(token))).body).toMatchObject({
          executed: true,
          decidedBy: 'chair',
        });
        const beside = { ...operator, 'Redial-Actor-Token': token };
        expect((await decided(name, beside)).body).toMatchObject({ executed: true, isHuman: true });
        expect((await decided(name, operator)).body.code).toBe('not-that-human');
      }
      const shown = await server.get('/v1/specialists/chair?machineName=one', operator);
      expect(shown.body).toMatchObject({ isHuman: true, personId: 'eva' });
      await server.http.delete('/v1/people/eva').set(operator);
      expect((await decided('one', { ...operator, 'Redial-Actor-Token': token })).body.code).toBe(
        'unauthorized',
      );
    });

    it('are registered with a specialist that names nobody, as its reviewer, and once', async () => {
      const made = await server.post('/v1/machines', machine('three'), operator);
      const { chair } = (made.body as { actorTokens: { chair: string } }).actorTokens;
      expect((await server.get('/v1/people/chair', operator)).body).toMatchObject({ role: 'reviewer' });
      const again = await server.post('/v1/machines', machine('four'), operator);
      expect(again.body).not.toHaveProperty('actorTokens');
      for (const name of ['three', 'four'])
        expect((await decided(name, bearer(chair))).body).toMatchObject({ executed: true });
      expect((await server.post('/v1/people', { personId: 'x', role: 'viewer' }, bearer(chair))).status).toBe(
        403,
      );
    });

    it('cannot decide as viewers or as other people', async () => {
      await server.post('/v1/machines', machine('five', { personId: 'vic' }), operator);
      const { token: viewer } = (await add({ personId: 'vic', role: 'viewer' })).body as { token: string };
      const { token: other } = (await add({ personId: 'oscar', role: 'operator' })).body as { token: string };
      expect((await decided('five', bearer(viewer))).body.code).toBe('role');
      expect((await decided('five', { ...operator, 'Redial-Actor-Token': viewer })).body.code).toBe('role');
      expect((await decided('five', bearer(other))).body.code).toBe('not-that-human');
    });

    it('of a session with an inline machine belong to it alone, unless they name a person', async () => {
      const own = async (more: object) =>
        (await server.post('/v1/sessions', { machine: machine('own', more) }, operator)).body as {
          sessionId: string;
          actorTokens?: { chair: string };
        };
      const decide = async (sessionId: string, token: string) =>
        (
          await server.post(
            `/v1/sessions/${sessionId}/arbitrations`,
            { specialistId: 'chair', transitionName: 'go' },
            { ...operator, 'Redial-Actor-Token': token },
          )
        ).body;
      const [one, other, named] = [await own({}), await own({}), await own({ personId: 'zoe' })];
      const { token } = (await add({ personId: 'zoe', role: 'reviewer' })).body as { token: string };
      expect(await decide(one.sessionId, other.actorTokens?.chair ?? '')).toMatchObject({
        code: 'unauthorized',
      });
      expect(await decide(one.sessionId, one.actorTokens?.chair ?? '')).toMatchObject({ executed: true });
      expect(named).not.toHaveProperty('actorTokens');
      expect(await decide(named.sessionId, token)).toMatchObject({ executed: true });
    });
  });

  it.each([
    [{ personId: 'x' }, '/role'],
    [{ personId: '-x', role: 'viewer' }, '/personId'],
    [{ personId: 'x', role: 'king' }, '/role'],
    [{ personId: 'x', role: 'viewer', name: null }, '/name'],
    [{ personId: 'x', role: 'viewer', constructor: 1 }, '/constructor'],
  ])('are refused with a path: %j', async (body, path) => {
    const refused = await add(body);
    expect([refused.status, refused.body.errors[0].path]).toEqual([400, path]);
  });

  it('are listed by id, page by page', async () => {
    const all = await server.get('/v1/people', operator);
    const first = await server.get('/v1/people?limit=1', operator);
    expect(first.body.items).toEqual(all.body.items.slice(0, 1));
    const next = await server.get(`/v1/people?limit=1&cursor=${first.body.nextCursor}`, operator);
    expect(next.body.items).toEqual(all.body.items.slice(1, 2));
    expect((await server.get('/v1/people?limit=0', operator)).body.errors[0].path).toBe('/limit');
    expect((await server.get('/v1/people?x=0', operator)).body.errors[0].path).toBe('/x');
    expect((await server.get('/v1/people/-x', operator)).status).toBe(404);
    expect((await server.get('/v1/people')).status).toBe(401);
  });
});
