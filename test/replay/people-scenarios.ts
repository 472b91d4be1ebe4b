import type { Redial } from '#lib/engine';
import type { Scenario } from './scenarios.js';

const proposer = { role: 'proposer' as const };
const person = { ...proposer, isHuman: true };
const machine = {
  machineName: 'payments',
  initialState: 'asked',
  goalState: 'paid',
  consensusThreshold: 0.5,
  states: {
    asked: { transitions: { check: { target: 'checked', needsPerson: { if: 'args.amount > 100' } } } },
    checked: {
      people: { groups: ['buyers'], exclude: ['creator', 'proposers'], approvals: 2 },
      transitions: { pay: { target: 'paid', needsPerson: true as const }, drop: 'dropped' },
    },
    paid: {},
    dropped: {},
  },
  specialists: [
    { ...proposer, specialistId: 'rule', strategyFnName: 'firstAvailable' },
    { role: 'arbiter' as const, specialistId: 'judge', strategyFnName: 'firstProposal' },
    ...['ann', 'bob', 'cy'].map((specialistId) => ({ ...person, specialistId })),
  ],
};

/** An arbiter leaves a transition to people; then two of a group have to choose the same. */
async function playPeople(redial: Redial): Promise<string> {
  for (const personId of ['ann', 'bob', 'cy'])
    await redial.registerPerson({ personId, role: 'reviewer', groups: ['buyers'] });
  await redial.registerPerson({ personId: 'eve', role: 'operator' });
  await redial.defineMachine(machine);
  const { sessionId } = await redial.createSession({ machineName: 'payments' }, { actor: 'eve' });
  await redial.tickSession({ sessionId });
  const { items } = await redial.listProposals({ sessionId });
  const { proposalId = '' } = items[0] ?? {};
  await redial.submitArbitration({ sessionId, specialistId: 'ann', proposalId, metaJson: { amount: 500 } });
  const pay = { sessionId, transitionName: 'pay' };
  await redial.submitArbitration({ ...pay, specialistId: 'ann', metaJson: { amount: 500 } });
  await redial.submitArbitration({ ...pay, specialistId: 'bob', metaJson: { amount: 400 } });
  await redial.submitArbitration({ ...pay, specialistId: 'ann', metaJson: { amount: 400 } });
  return sessionId;
}

export const peopleScenarios: readonly Scenario[] = [
  { name: 'people-who-decide', replies: [], play: playPeople },
];
