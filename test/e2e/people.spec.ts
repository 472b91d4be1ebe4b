import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { API_TOKEN, RedialServer } from '../support/redial-server.js';

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
