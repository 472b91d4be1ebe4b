import { randomBytes } from 'node:crypto';
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { temporaryFolder } from '#lib/kernel/testing';
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

const environment = { REDIAL_MASTER_KEY: randomBytes(32).toString('base64') };

/** A decided round about a subject, and one about nobody. */
async function decideTwo(server: RedialServer): Promise<void> {
  await server.post('/v1/machines', machine);
  for (const about of [{ subject: 'customer-42' }, {}]) {
    const asked = { machineName: 'payments', metaJson: { amount: 5 }, ...about };
    const { body } = await server.post('/v1/sessions', asked);
    expect((await server.post(`/v1/sessions/${body.sessionId}/run`)).body).toMatchObject({ status: 'done' });
  }
}

const simulatedBy = async (server: RedialServer) =>
  (await server.post('/v1/machines/payments/simulations')).body;

it('a round of a subject that was erased is not simulated: what its conditions read is gone', async () => {
  const server = await RedialServer.start({ environment });
  await decideTwo(server);
  expect(await simulatedBy(server)).toMatchObject({ rounds: 2, same: 2 });
  expect((await server.post('/v1/subjects/customer-42/erase')).status).toBe(200);
  expect(await simulatedBy(server)).toMatchObject({ rounds: 1, same: 1 });
  await server.stop();
});

it('a round of a subject whose key is lost is not simulated, and hides no other', async () => {
  const place = { dataDir: temporaryFolder() };
  let server = await RedialServer.start({ place, environment });
  await decideTwo(server);
  await server.stop();
  for (const name of readdirSync(place.dataDir).filter((one) => one.startsWith('keys.sqlite')))
    rmSync(join(place.dataDir, name));
  server = await RedialServer.start({ place, environment });
  expect(await simulatedBy(server)).toMatchObject({ rounds: 1, same: 1, items: [{}] });
  await server.stop();
});
