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

const timed = { people: ['ann'], dueIn: 'PT1S', remindBefore: ['PT1S'], expireIn: 'PT1S' };
const clocked = {
  ...machine,
  machineName: 'clocked',
  initialState: 'asked',
  states: {
    asked: { people: { ...timed, onExpiry: { transition: 'ask' } }, transitions: { ask: 'again' } },
    again: { people: timed, after: [{ in: 'P1D', transition: 'ask' }], transitions: { ask: 'moved' } },
    moved: { transitions: { ask: 'last' } },
    last: { after: [{ in: 'PT1S', transition: 'end' }], transitions: { end: 'paid', stay: 'last' } },
    paid: {},
  },
  specialists: [{ ...person, specialistId: 'ann' }],
};

/** Waits expire with an outcome and without one, a clock is moved, and the age of a round decides. */
async function playClocks(redial: Redial): Promise<string> {
  await redial.defineMachine(clocked);
  const { sessionId } = await redial.createSession({ machineName: 'clocked' });
  await redial.tickSession({ sessionId });
  await until(redial, sessionId, ({ currentState }) => currentState === 'again');
  await redial.tickSession({ sessionId });
  await until(redial, sessionId, ({ types }) => types.includes('ClockEnded'));
  await redial.executeTransition({ sessionId, transitionName: 'ask', toState: 'moved' });
  await redial.tickSession({ sessionId });
  const { items } = await redial.listTasks({ sessionId });
  const expiresAt = new Date(Date.now() + 1_000).toISOString();
  await redial.extendTask({ taskId: items[0]?.taskId ?? '', expiresAt });
  await until(redial, sessionId, ({ types }) => types.filter((type) => type === 'ClockEnded').length === 2);
  await redial.executeTransition({ sessionId, transitionName: 'ask', toState: 'last' });
  await until(redial, sessionId, ({ currentState }) => currentState === 'paid');
  return sessionId;
}

/** Time passes until the session and the types of its events are so. */
async function until(
  redial: Redial,
  sessionId: string,
  isSo: (now: { readonly currentState: string; readonly types: readonly string[] }) => boolean,
): Promise<void> {
  for (;;) {
    const { currentState } = await redial.getSession({ sessionId });
    const { items } = await redial.listSessionEvents({ sessionId, limit: 500 });
    if (isSo({ currentState, types: items.map(({ type }) => type) })) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** A session is closed while it waits for people. */
async function playClose(redial: Redial): Promise<string> {
  await redial.defineMachine(clocked);
  const { sessionId } = await redial.createSession({ machineName: 'clocked' });
  await redial.closeSession({ sessionId, reason: 'a mistake' });
  return sessionId;
}

/** A fork goes on where an operator had decided otherwise, and is forked again. */
async function playFork(redial: Redial): Promise<string> {
  const states = { asked: { transitions: { yes: 'done', no: 'asked' } }, done: {} };
  const machine = { machineName: 'forked', initialState: 'asked', goalState: 'done', states };
  await redial.defineMachine(machine);
  const { sessionId } = await redial.createSession({ machineName: 'forked', metaJson: { case: 1 } });
  await redial.executeTransition({ sessionId, transitionName: 'no', toState: 'asked' });
  const overrides = { metaJson: { case: 2 } };
  const fork = await redial.forkSession({ sessionId, atRevision: 1, overrides, reason: 'What if?' });
  const again = await redial.forkSession({ sessionId: fork.sessionId, atRevision: 2, effects: 'allow' });
  await redial.executeTransition({ sessionId: again.sessionId, transitionName: 'yes', toState: 'done' });
  return again.sessionId;
}

export const peopleScenarios: readonly Scenario[] = [
  { name: 'closed', replies: [], play: playClose },
  { name: 'clocks', replies: [], play: playClocks },
  { name: 'forked', replies: [], play: playFork },
  { name: 'people-who-decide', replies: [], play: playPeople },
];
