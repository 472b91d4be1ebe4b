import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { RedialServer } from '../support/redial-server.js';

const desk = {
  machineName: 'desk',
  initialState: 'asked',
  goalState: 'done',
  people: { groups: ['clerks'] },
  states: { asked: { transitions: { end: 'done' } }, done: {} },
};

describe('the conventions of the contract', () => {
  let server: RedialServer;
  beforeAll(async () => {
    server = await RedialServer.start();
    await server.post('/v1/machines', desk);
    await server.post('/v1/people', { personId: 'ann', role: 'reviewer', groups: ['clerks'] });
  });
  afterAll(() => server.stop());

  async function waitingTask(): Promise<string> {
    const { sessionId } = (await server.post('/v1/sessions', { machineName: 'desk' })).body;
    await server.post(`/v1/sessions/${sessionId}/tick`);
    const { items } = (await server.get(`/v1/tasks?sessionId=${sessionId}`)).body;
    return items[0].taskId;
  }

  it('a seal that a call has made is at the position that its answer names', async () => {
    const made = await server.post('/v1/seals');
    expect([made.status, made.headers['redial-position']]).toEqual([201, made.body.position]);
    expect(made.body.position).toBe(await server.head());
    const again = await server.post('/v1/seals');
    expect([again.status, again.headers['redial-position']]).toEqual([200, undefined]);
  });

  it('an id that several machines have is refused with their names', async () => {
    for (const machineName of ['one', 'two'])
      await server.post('/v1/specialists', {
        role: 'proposer',
        specialistId: 'both',
        machineName,
        strategyFnName: 'firstAvailable',
      });
    expect(await server.get('/v1/specialists/both')).toMatchObject({
      status: 409,
      body: { code: 'ambiguous', machines: ['one', 'two'] },
    });
  });

  it('the events of a task are a list in pages', async () => {
    const path = `/v1/tasks/${await waitingTask()}`;
    for (const text of ['one', 'two', 'three']) await server.post(`${path}/comments`, { text, actAs: 'ann' });
    const whole = (await server.get(`${path}/events`)).body;
    expect([whole.items.length, whole.nextCursor]).toEqual([3, null]);
    const first = (await server.get(`${path}/events?limit=2`)).body;
    const second = (await server.get(`${path}/events?limit=2&cursor=${first.nextCursor}`)).body;
    expect([...first.items, ...second.items]).toEqual(whole.items);
    expect(second.nextCursor).toBeNull();
    for (const asked of ['limit=0', 'limit=501', `cursor=${first.nextCursor}x`])
      expect((await server.get(`${path}/events?${asked}`)).status).toBe(400);
    const other = `/v1/tasks/${await waitingTask()}`;
    expect((await server.get(`${other}/events?cursor=${first.nextCursor}`)).body).toMatchObject({
      code: 'invalid-cursor',
    });
  });
});
