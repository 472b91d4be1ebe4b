import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { lenders, loans } from '../support/loans.js';
import { describeOnEachEngine } from '../support/places/describe-on-engines.js';
import { API_TOKEN, RedialServer } from '../support/redial-server.js';

const byOutcome = (body: { items: readonly { outcome: string }[] }) =>
  body.items.map(({ outcome }) => outcome);

/** Two clerks are heard, and the first of them is followed: the third is never asked. */
const three = {
  ...loans,
  machineName: 'three',
  specialists: [
    ...['generous', 'prudent', 'third'].map((specialistId) => ({
      role: 'proposer',
      specialistId,
      strategyFnName: 'generous',
    })),
    { role: 'arbiter', specialistId: 'judge', strategyFnName: 'firstProposal' },
  ],
};

/** The arbiter is a function of the application. */
const judged = {
  ...loans,
  machineName: 'judged',
  specialists: [
    ...loans.specialists.filter(({ role }) => role !== 'arbiter'),
    { role: 'arbiter', specialistId: 'judge', strategyFnName: 'second' },
  ],
};

const second = ({ proposals }: { readonly proposals: readonly { readonly proposalId: string }[] }) => {
  const winner = proposals[1];
  return winner
    ? { consensusReached: true, winningProposalId: winner.proposalId, reasoning: 'the second' }
    : { consensusReached: false, reasoning: 'too few' };
};

describeOnEachEngine('POST /v1/machines/{name}/simulations', (emptyPlace) => {
  let server: RedialServer;
  let sessionIds: readonly string[];

  const simulate = (body: object, machineName = 'loans') =>
    server.post(`/v1/machines/${machineName}/simulations`, body);

  /** Two loans that the boss decides, and one that the engine decides by what it learnt of them. */
  beforeAll(async () => {
    const options = { strategies: lenders, arbiters: { second } };
    server = await RedialServer.start({ place: await emptyPlace(), options });
    for (const machine of [loans, three, judged])
      expect((await server.post('/v1/machines', machine)).status).toBe(201);
    const ids: string[] = [];
    for (const amount of [50, 200, 300]) {
      const { body } = await server.post('/v1/sessions', { machineName: 'loans', metaJson: { amount } });
      const { sessionId } = body as { sessionId: string };
      ids.push(sessionId);
      const run = await server.post(`/v1/sessions/${sessionId}/run`, {});
      if (run.body.status !== 'needs_human') continue;
      const transitionName = amount < 100 ? 'approve' : 'reject';
      const forced = { specialistId: 'boss', transitionName };
      await server.post(`/v1/sessions/${sessionId}/arbitrations`, forced);
    }
    for (const machineName of ['three', 'judged']) {
      const { body } = await server.post('/v1/sessions', { machineName, metaJson: { amount: 500 } });
      await server.post(`/v1/sessions/${(body as { sessionId: string }).sessionId}/run`, {});
    }
    sessionIds = ids;
  });
  afterAll(() => server.stop());

  it('without a change, every round is the same, and nothing is written', async () => {
    const head = await server.head();
    const { status, body } = await simulate({});
    expect([status, body]).toEqual([
      200,
      {
        rounds: 3,
        same: 3,
        different: 0,
        toPeople: 0,
        fromPeople: 0,
        nextCursor: null,
        items: [
          expect.objectContaining({
            recorded: { transitionName: 'approve', decidedBy: 'boss', isHuman: true },
          }),
          expect.objectContaining({
            recorded: { transitionName: 'reject', decidedBy: 'boss', isHuman: true },
          }),
          {
            sessionId: sessionIds[2],
            roundId: expect.any(String),
            state: 'asked',
            outcome: 'same',
            recorded: { transitionName: 'reject', decidedBy: 'judge', isHuman: false },
            simulated: { transitionName: 'reject', decidedBy: 'judge', margin: expect.closeTo(0.567, 3) },
          },
        ],
      },
    ]);
    expect(await server.head()).toBe(head);
  });

  it.each([
    ['a higher threshold', { consensusThreshold: 0.6 }, ['same', 'same', 'toPeople'], 'no-consensus'],
    ['a lower threshold', { consensusThreshold: 0.3 }, ['same', 'same', 'same'], undefined],
    ['a quorum above the proposers', { quorum: 3 }, ['same', 'same', 'toPeople'], 'no-quorum'],
    [
      'trust that both had earned then',
      { trust: { minComparisons: 2 } },
      ['same', 'same', 'same'],
      undefined,
    ],
    [
      'trust that was earned later',
      { trust: { minComparisons: 3 } },
      ['same', 'same', 'toPeople'],
      'no-consensus',
    ],
    ['another rule of scores', { scoringRule: 'ratio' }, ['same', 'same', 'toPeople'], 'no-consensus'],
    [
      'that rule and a lower threshold',
      { scoringRule: 'ratio', consensusThreshold: 0.3 },
      ['same', 'same', 'same'],
      undefined,
    ],
    ['another arbiter', { arbiter: 'firstProposal' }, ['fromPeople', 'fromPeople', 'different'], undefined],
  ])('decides by the alignment as it was then: %s', async (_, settings, outcomes, reason) => {
    const { body } = await simulate(settings);
    expect(byOutcome(body)).toEqual(outcomes);
    const count = (outcome: string) => outcomes.filter((one) => one === outcome).length;
    expect(body).toMatchObject({
      same: count('same'),
      different: count('different'),
      toPeople: count('toPeople'),
      fromPeople: count('fromPeople'),
    });
    expect(body.items[2].simulated.reason).toBe(reason);
  });

  it('says not-asked where a proposer would have had to be asked who was not, or an arbiter outside of the session', async () => {
    const reasons = async (machineName: string, settings: object) => {
      const { body } = await simulate(settings, machineName);
      const [item] = body.items;
      return [item.outcome, item.simulated.reason, item.simulated.detail];
    };
    expect(await reasons('three', {})).toEqual(['same', undefined, undefined]);
    expect(await reasons('three', { quorum: 3 })).toEqual([
      'toPeople',
      'not-asked',
      expect.stringContaining('third'),
    ]);
    expect(await reasons('judged', {})).toEqual(['same', undefined, undefined]);
    expect(await reasons('judged', { quorum: 1 })).toEqual(['same', undefined, undefined]);
    expect(await reasons('judged', { consensusThreshold: 0.9 })).toEqual([
      'toPeople',
      'not-asked',
      expect.stringContaining('judge'),
    ]);
  });

  it('goes page by page through the rounds of all sessions, and the counts are those of the page', async () => {
    const first = await simulate({ limit: 2 });
    expect(first.body).toMatchObject({ rounds: 2, nextCursor: expect.any(String) });
    const rest = await simulate({ limit: 2, cursor: first.body.nextCursor as string });
    expect(rest.body).toMatchObject({ rounds: 1, nextCursor: null });
    const sessions = [...first.body.items, ...rest.body.items].map((item) => item.sessionId as string);
    expect(sessions).toEqual(sessionIds);
  });

  it('leaves out rounds of forks, and those of other times', async () => {
    const fork = await server.post(`/v1/sessions/${sessionIds[0] ?? ''}/forks`, { atRevision: 0 });
    const of = `/v1/sessions/${(fork.body as { sessionId: string }).sessionId}/transitions`;
    expect((await server.post(of, { transitionName: 'reject', toState: 'closed' })).status).toBe(200);
    expect((await simulate({})).body.rounds).toBe(3);
    expect((await simulate({ to: '2020-01-01T00:00:00Z' })).body.rounds).toBe(0);
    expect((await simulate({ from: '2020-01-01T00:00:00Z' })).body.rounds).toBe(3);
  });

  it.each([
    [404, {}, 'nobody'],
    [400, { scoringRule: 'best' }, 'loans'],
    [400, { arbiter: 'second' }, 'loans'],
    [400, { quorum: 0 }, 'loans'],
    [400, { consensusThreshold: 1.1 }, 'loans'],
    [400, { trust: { minComparison: 1 } }, 'loans'],
    [400, { cursor: 'x' }, 'loans'],
    [400, { limit: 100_001 }, 'loans'],
  ])('refuses with %d: %j of %s', async (status, body, machineName) => {
    expect((await simulate(body, machineName)).status).toBe(status);
  });
});

it('more than 500 rounds at once are for operators', async () => {
  const server = await RedialServer.start({ environment: { REDIAL_API_TOKEN: API_TOKEN } });
  const operator = { Authorization: `Bearer ${API_TOKEN}` };
  try {
    await server.post('/v1/machines', { ...loans, specialists: [] }, operator);
    const person = await server.post('/v1/people', { personId: 'vic', role: 'viewer' }, operator);
    const viewer = { Authorization: `Bearer ${(person.body as { token: string }).token}` };
    const asked = (limit: number, headers: Record<string, string>) =>
      server.post('/v1/machines/loans/simulations', { limit }, headers);
    expect((await asked(500, viewer)).status).toBe(200);
    expect(await asked(501, viewer)).toMatchObject({ status: 403, body: { code: 'role' } });
    expect((await asked(100_000, operator)).status).toBe(200);
  } finally {
    await server.stop();
  }
});
