import { randomBytes } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { RedialServer } from '../support/redial-server.js';

const machine = {
  machineName: 'payments',
  initialState: 'asked',
  goalState: 'paid',
  specialists: [
    { role: 'proposer', specialistId: 'clerk', strategyFnName: 'firstAvailable' },
    { role: 'arbiter', specialistId: 'judge', strategyFnName: 'firstProposal' },
  ],
  states: {
    asked: { transitions: { pay: { target: 'paid', needsPerson: { if: 'metaJson.amount > 100' } } } },
    paid: {},
  },
};

it('a round of a subject that was erased is not simulated: what its conditions read is gone', async () => {
  const environment = { REDIAL_MASTER_KEY: randomBytes(32).toString('base64') };
  const server = await RedialServer.start({ environment });
  await server.post('/v1/machines', machine);
  for (const about of [{}, { subject: 'customer-42' }]) {
    const asked = { machineName: 'payments', metaJson: { amount: 5 }, ...about };
    const { body } = await server.post('/v1/sessions', asked);
    expect((await server.post(`/v1/sessions/${body.sessionId}/run`)).body).toMatchObject({ status: 'done' });
  }
  const simulated = async () => (await server.post('/v1/machines/payments/simulations')).body;
  expect(await simulated()).toMatchObject({ rounds: 2, same: 2 });
  expect((await server.post('/v1/subjects/customer-42/erase')).status).toBe(200);
  expect(await simulated()).toMatchObject({ rounds: 1, same: 1 });
  await server.stop();
});
