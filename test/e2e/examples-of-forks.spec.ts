import { afterEach, describe, expect, it } from '@jest/globals';
import { Redial } from '#lib/engine';
import { RedialServer } from '../support/redial-server.js';

const machine = {
  machineName: 'examples',
  initialState: 'triage',
  goalState: 'closed',
  states: { triage: { transitions: { deny: 'closed', approve: 'closed' } }, closed: {} },
  specialists: [
    { role: 'proposer', specialistId: 'fn', strategyFnName: 'noting' },
    { role: 'proposer', specialistId: 'boss', isHuman: true },
  ],
};

describe('a fork', () => {
  let server: RedialServer;
  let redial: Redial;
  afterEach(() => server.stop());

  it('is given the examples that its parent had where it left it: none of later decisions, and none of how its parent ended', async () => {
    const given: (readonly string[])[] = [];
    const noting = ({
      exemplars = [],
    }: {
      readonly exemplars?: readonly { readonly reasoning: string }[];
    }) => {
      given.push(exemplars.map(({ reasoning }) => reasoning));
      return { transitionName: 'deny', reasoning: 'No.' };
    };
    server = await RedialServer.start({ options: { strategies: { noting } } });
    redial = server.app.get(Redial);
    await redial.defineMachine(machine);
    const begin = async () => (await redial.createSession({ machineName: 'examples' })).sessionId;
    const decide = (sessionId: string, reasoning: string) =>
      redial.submitArbitration({ sessionId, specialistId: 'boss', transitionName: 'approve', reasoning });
    const fork = async (sessionId: string) =>
      (await redial.forkSession({ sessionId, atRevision: 0, effects: 'allow' })).sessionId;
    const asked = async (sessionId: string) => {
      await redial.submitProposal({ sessionId, specialistId: 'fn' });
      return given.at(-1);
    };
    await decide(await begin(), 'before');
    const parent = await begin();
    const first = await fork(parent);
    const { revision } = await redial.getSession({ sessionId: first });
    await decide(parent, 'after');
    expect(await asked(await begin())).toEqual(['after', 'before']);
    expect(await asked(first)).toEqual(['before']);
    expect(await asked(await fork(parent))).toEqual(['before']);
    const again = await redial.forkSession({ sessionId: first, atRevision: revision, effects: 'allow' });
    expect(await asked(again.sessionId)).toEqual(['before']);
  });

  it('under a machine that is none says where in the overrides it is wrong', async () => {
    server = await RedialServer.start();
    redial = server.app.get(Redial);
    await redial.defineMachine({ ...machine, specialists: [] });
    const { sessionId } = await redial.createSession({ machineName: 'examples' });
    const states = { triage: { transitions: { deny: 'nowhere' } }, closed: {} };
    const overrides = { machine: { ...machine, specialists: [], states } };
    const { status, body } = await server.post(`/v1/sessions/${sessionId}/forks`, {
      atRevision: 0,
      overrides,
    });
    expect([status, body.errors]).toMatchObject([
      422,
      [{ path: '/overrides/machine/states/triage/transitions/deny' }],
    ]);
  });
});
