import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { lenders, loans } from '../support/loans.js';
import { RedialServer } from '../support/redial-server.js';

let server: RedialServer;
let boss: { 'redial-actor-token': string };
const sessionIds: string[] = [];

beforeAll(async () => {
  const environment = { REDIAL_MASTER_KEY: randomBytes(32).toString('base64') };
  server = await RedialServer.start({ environment, options: { strategies: lenders } });
  const { actorTokens } = await post('/v1/machines', loans);
  boss = { 'redial-actor-token': (actorTokens as { boss: string }).boss };
  const ofPerson = await proposed({});
  await forced(ofPerson);
  await forced(await proposed({ subject: 'customer-42' }));
  const byHand = { transitionName: 'approve', toState: 'closed' };
  await post(`/v1/sessions/${await proposed({})}/transitions`, byHand);
  const fork = await post(`/v1/sessions/${ofPerson}/forks`, { atRevision: 2 });
  await forced(fork['sessionId'] as string);
});
afterAll(() => server.stop());

async function post(path: string, body: object, headers: Record<string, string> = {}) {
  const answer = await server.post(path, body, headers);
  expect([path, answer.status < 300 || answer.body]).toEqual([path, true]);
  return answer.body as { readonly [member: string]: unknown };
}

/** A session with a proposal of `generous`. */
async function proposed(more: object): Promise<string> {
  const asked = { machineName: 'loans', metaJson: { amount: 900 }, ...more };
  const sessionId = (await post('/v1/sessions', asked))['sessionId'] as string;
  await post(`/v1/sessions/${sessionId}/proposals`, { specialistId: 'generous' });
  return sessionId;
}

/** A person decides. */
async function forced(sessionId: string): Promise<void> {
  const decided = { specialistId: 'boss', transitionName: 'reject' };
  await post(`/v1/sessions/${sessionId}/arbitrations`, decided, boss);
  sessionIds.push(sessionId);
}

const evaluate = (body: object) => post('/v1/specialists/generous/evaluations', body);

it.each(['exemplars', 'decisions', 'record'])(
  'an evaluation against %s counts no round about a subject, of a fork, or that an operator decided',
  async (against) => {
    expect(await evaluate({ against })).toMatchObject({ rounds: 1, matchingChoices: 0 });
  },
);

it.each([{ machineName: 'loans' }, { sessionIds }])(
  'nor has an experiment points of them: %j',
  async (points) => {
    const variants = [{ name: 'now', specialistId: 'generous' }];
    expect(await post('/v1/experiments', { points, variants, dryRun: true })).toMatchObject({ points: 1 });
  },
);

it('an evaluation against the record counts the proposals of the version that is named', async () => {
  const again = {
    role: 'proposer',
    specialistId: 'generous',
    machineName: 'loans',
    strategyFnName: 'prudent',
  };
  await post('/v1/specialists', again);
  const against = 'record';
  expect(await evaluate({ against, specialistVersion: 1 })).toMatchObject({ rounds: 1 });
  expect(await evaluate({ against, specialistVersion: 2 })).toMatchObject({ rounds: 0 });
  expect(await evaluate({ against })).toMatchObject({ rounds: 1 });
  const path = '/v1/specialists/generous/evaluations';
  expect(await server.post(path, { against, specialistVersion: 3 })).toMatchObject({
    status: 404,
    body: { code: 'unknown-specialist' },
  });
});
