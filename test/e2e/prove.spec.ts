import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { RedialServer } from '../support/redial-server.js';

const refunds = {
  machineName: 'refunds',
  initialState: 'asked',
  goalState: 'closed',
  states: {
    asked: { transitions: { check: 'checked', pay: 'closed', wait: 'asked' } },
    checked: { transitions: { pay: { target: 'closed', needsPerson: true } } },
    closed: {},
    lost: {},
  },
};
const pay = { from: 'asked', transition: 'pay', to: 'closed' };
const before = { before: ['checked', 'closed'] };

describe('POST /v1/machines/prove', () => {
  let server: RedialServer;
  beforeAll(async () => {
    server = await RedialServer.start();
    expect(await server.post('/v1/machines', refunds)).toMatchObject({ status: 201 });
  });
  afterAll(() => server.stop());

  it.each([
    ['of a defined machine', { machineName: 'refunds' }],
    ['of a definition', { machine: refunds }],
  ])('says what a machine can do, and writes nothing: %s', async (_, which) => {
    const head = await server.head();
    const answer = await server.post('/v1/machines/prove', {
      ...which,
      properties: [{ reaches: 'closed' }, before],
    });
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        unreachable: ['lost'],
        deadEnds: [],
        undecidable: [{ state: 'checked', why: expect.stringContaining('needs a person') }],
        loopsWithoutPeople: [['asked']],
        properties: [
          { property: { reaches: 'closed' }, holds: true },
          { property: before, holds: false, counterexample: [pay] },
        ],
      },
    ]);
    expect(await server.head()).toBe(head);
  });

  it('proves the properties that a definition states although they do not hold', async () => {
    const machine = { ...refunds, properties: [before] };
    const answer = await server.post('/v1/machines/prove', { machine });
    expect(answer.body).toMatchObject({ properties: [{ holds: false, counterexample: [pay] }] });
  });

  it('a definition whose stated properties do not hold is refused with the counterexample, and is not valid', async () => {
    const machine = { ...refunds, machineName: 'stated', properties: [{ reaches: 'closed' }, before] };
    const errors = [{ path: '/properties/1', counterexample: [pay] }];
    expect(await server.post('/v1/machines', machine)).toMatchObject({
      status: 422,
      body: { code: 'invalid-machine', errors },
    });
    expect((await server.post('/v1/machines/validate', machine)).body).toMatchObject({
      valid: false,
      errors,
    });
    expect((await server.post('/v1/sessions', { machine })).body).toMatchObject({
      errors: [{ path: '/machine/properties/1', counterexample: [pay] }],
    });
  });

  it('a definition whose stated properties hold is kept with them', async () => {
    const machine = { ...refunds, machineName: 'kept', properties: [{ reaches: 'closed' }] };
    expect(await server.post('/v1/machines', machine)).toMatchObject({ status: 201 });
    expect((await server.get('/v1/machines/kept')).body).toMatchObject({
      definition: { properties: [{ reaches: 'closed' }] },
    });
  });

  it.each([
    [{}, 400, 'name-or-machine'],
    [{ machineName: 'refunds', machine: refunds }, 400, 'name-or-machine'],
    [{ machineName: 'none' }, 404, 'unknown-machine'],
    [{ machine: { ...refunds, initialState: 'nowhere' } }, 422, 'invalid-machine'],
    [{ machineName: 'refunds', properties: [{ never: 'nowhere' }] }, 422, 'invalid-property'],
    [{ machineName: 'refunds', properties: [{ always: 'asked' }] }, 400, 'malformed-request'],
  ])('refuses %j', async (body, status, code) => {
    const answer = await server.post('/v1/machines/prove', body);
    expect([answer.status, answer.body.code]).toEqual([status, code]);
  });
});
