import { describe, expect, it } from '@jest/globals';
import { specify } from '#lib/kernel/testing';
import type { PeoplePolicy } from '#lib/candidates';
import { machineHash, type MachineInput, normalizeMachine } from '#lib/decisions/machines';
import { arbitrationResult } from '../arbitration/arbitration-result.js';
import { nextMove } from '../process/next-move.rules.js';
import { sessionDecider } from '../session.decider.js';
import type { ApprovalGiven } from '../session.events.js';
import {
  AGREED,
  alignment,
  arbitrate,
  arbitrationRequested,
  basis,
  closeArbitration,
  EXTERNAL,
  FIRST,
  force,
  notReached,
  opposed,
} from '../testing/arbitration-examples.js';
import {
  create,
  created as createdSession,
  execute,
  executed,
  proposed,
  sessionAfter,
} from '../testing/session-examples.js';

const { given } = specify(sessionDecider);

function machineWith(people?: PeoplePolicy, needsPerson: true | { if: string } = true) {
  const input: MachineInput = {
    machineName: 'support',
    initialState: 'triage',
    goalState: 'refunded',
    ...(people && { people }),
    states: {
      triage: { transitions: { refund: { target: 'refunded', needsPerson }, escalate: 'escalated' } },
      escalated: { transitions: { resolve: 'refunded' } },
      refunded: {},
    },
  };
  return normalizeMachine(input);
}

function created(people?: PeoplePolicy, over: Parameters<typeof machineWith>[1] = true, by?: string) {
  const machine = machineWith(people, over);
  return createdSession({ machine, machineHash: machineHash(machine), ...(by !== undefined && { by }) });
}

const refund = { transitionName: 'refund', by: 'ada' };

const detail = 'the proposals are for "refund", which a person decides: assistant proposed first';
const waits = {
  type: 'HumanInputRequested',
  data: { roundId: 'round-1', reason: 'needs-person', detail },
} as const;
const left = (arbiter = FIRST, reasoning = 'assistant proposed first') =>
  notReached(basis(arbiter, [proposed()]), { reasoning, leftToPeople: 'proposal-1' });
const acceptedBy = (by: string) => [
  { type: 'HumanOverrideAccepted', data: { by } },
  executed({ isHuman: true, decidedBy: 'ada', by }),
];

describe('a transition that needs a person', () => {
  it('is not executed by the arbiter that chooses it: the round waits for people', () => {
    given([created(), proposed()]).when(arbitrate()).then([left(), waits]);
    given([created(), proposed(), left(), waits]).when(arbitrate()).thenNothing();
  });

  it('is not executed by an arbiter that was asked outside', () => {
    const shown = basis(EXTERNAL, [proposed()]);
    const agreed = {
      ...waits,
      data: { ...waits.data, detail: detail.replace('assistant proposed first', 'agreed') },
    };
    given([created(), proposed(), arbitrationRequested(shown)])
      .when(closeArbitration({ verdict: AGREED }))
      .then([left(EXTERNAL, 'agreed'), agreed]);
  });

  it('is not executed by an operator, with or without a proposal', () => {
    given([created()]).when(execute()).thenRejected({ rejected: 'refused', code: 'needs-person' });
    given([created(), proposed()])
      .when(execute({ proposalId: 'proposal-1' }))
      .thenRejected({ rejected: 'refused', code: 'needs-person' });
  });

  it('is executed by a person who decides the round, before it waits too', () => {
    const history = [created(), proposed()];
    given(history).when(force(refund)).thenLike(acceptedBy('ada'));
    given([...history, left(), waits])
      .when(force(refund))
      .thenLike(acceptedBy('ada'));
  });

  it('is not executed by a human without a name, where the definition says nothing of its people too', () => {
    const unnamed = { transitionName: 'refund' };
    given([created()]).when(force(unnamed)).thenRejected({ rejected: 'forbidden', code: 'not-a-person' });
    given([created()])
      .when(force())
      .thenLike([{ type: 'HumanOverrideAccepted' }, { type: 'TransitionExecuted' }]);
  });

  it('leaves the other transitions of the state to arbiters and operators', () => {
    const events = [created(), opposed({ proposalId: 'proposal-1' })];
    given(events)
      .when(arbitrate())
      .thenLike([{ type: 'ConsensusReached' }, { type: 'TransitionExecuted' }]);
  });

  it('depends on the arguments that it would be executed with, where it has a condition', () => {
    const session = created(undefined, { if: 'args.amount > 100' });
    const cheap = proposed({ metaJson: { amount: 5 } });
    const isDecided = [{ type: 'ConsensusReached' }, {}];
    given([session, cheap]).when(arbitrate()).thenLike(isDecided);
    given([session, proposed({ metaJson: { amount: 500 } })])
      .when(arbitrate())
      .thenLike([{}, waits]);
    given([session, cheap])
      .when(arbitrate({ metaJson: { amount: 500 } }))
      .thenLike([{}, waits]);
    given([session, proposed()]).when(arbitrate()).thenLike([{}, waits]);
  });

  it('asks nobody else once the arbiter has chosen it', () => {
    const session = sessionAfter(created(), proposed(), left(), waits);
    const roster = { proposers: ['assistant', 'other'], arbiter: FIRST, alignment: alignment(), quorum: 1 };
    expect(nextMove(session, roster)).toMatchObject({ move: 'ask-human', reason: 'needs-person' });
  });

  it('still waits for people after a person has stated a proposal that no arbiter weighs', () => {
    const stated = proposed({ proposalId: 'proposal-2', isHuman: true, by: 'ada', specialistId: 'ada' });
    const events = [created({}), proposed(), left(), waits, stated];
    const roster = { proposers: ['assistant', 'other'], arbiter: FIRST, alignment: alignment(), quorum: 1 };
    const asked = { move: 'ask-human', reason: 'needs-person', detail: 'assistant proposed first' };
    expect(nextMove(sessionAfter(...events), roster)).toEqual(asked);
    const more = opposed({ proposalId: 'proposal-3' });
    expect(nextMove(sessionAfter(...events, more), roster)).toEqual({ move: 'arbitrate' });
  });
});

describe('the people who decide', () => {
  const nobody = { rejected: 'forbidden', code: 'not-a-candidate' } as const;

  it('are exactly the persons and groups that the definition names, with or without a specialist', () => {
    const history = [created({ groups: ['buyers'], people: ['cy'] })];
    const withoutRole = arbitrate({ isHuman: true, transitionName: 'refund', by: 'cy' });
    given(history).when(force(refund)).thenRejected(nobody);
    given(history)
      .when(force({ ...refund, groups: ['buyers'] }))
      .thenLike(acceptedBy('ada'));
    given(history)
      .when(withoutRole)
      .thenLike([{ type: 'HumanOverrideAccepted' }, executed({ isHuman: true, decidedBy: 'cy', by: 'cy' })]);
    given(history)
      .when(arbitrate({ isHuman: true, transitionName: 'escalate', by: 'eve' }))
      .thenRejected(nobody);
  });

  it('are otherwise those of the human specialists', () => {
    const stranger = arbitrate({ isHuman: true, transitionName: 'refund', by: 'eve' });
    given([created()]).when(stranger).thenRejected(nobody);
  });

  it('are one person alone once it is assigned to them, a stranger too, and never one who is excluded', () => {
    const history = [created({ groups: ['buyers'], exclude: ['bob'] })];
    const mine = { ...refund, groups: ['buyers'], assignee: 'eve' };
    given(history).when(force(mine)).thenRejected(nobody);
    given(history)
      .when(force({ ...mine, by: 'eve', groups: [] }))
      .thenLike(acceptedBy('eve'));
    given(history)
      .when(force({ ...mine, by: 'bob', assignee: 'bob' }))
      .thenRejected({ rejected: 'forbidden', code: 'excluded' });
  });

  it.each([
    ['persons', { exclude: ['ada'] }, created({ exclude: ['ada'] })],
    ['the creator', { exclude: ['creator'] }, created({ exclude: ['creator'] }, true, 'ada')],
  ])('are never %s who are excluded, for any transition', (_, __, session) => {
    const code = 'excluded';
    given([session]).when(force(refund)).thenRejected({ rejected: 'forbidden', code });
    given([session])
      .when(force({ by: 'ada' }))
      .thenRejected({ rejected: 'forbidden', code });
  });

  it.each([
    ['themselves', { isHuman: true, specialistId: 'ada' }],
    ['a model', { isHuman: false, specialistId: 'assistant' }],
  ])('are never people who stated a proposal of the round as %s, where proposers are excluded', (_, role) => {
    const stated = proposed({ ...role, by: 'ada' });
    const session = created({ exclude: ['proposers'] });
    given([session, stated]).when(force(refund)).thenRejected({ rejected: 'forbidden', code: 'excluded' });
    given([session, stated])
      .when(force({ ...refund, specialistId: 'bo', by: 'bo' }))
      .thenLike([{ type: 'HumanOverrideAccepted' }, executed({ isHuman: true, decidedBy: 'bo', by: 'bo' })]);
  });

  it('have to be persons: nobody decides in place of one', () => {
    given([created({})])
      .when(force({ transitionName: 'refund' }))
      .thenRejected({ code: 'not-a-person' });
    given([created({})])
      .when(arbitrate({ transitionName: 'refund' }))
      .thenRejected({ code: 'not-a-person' });
  });

  it.each([
    ['themselves', { isHuman: true, specialistId: 'ada' }],
    ['a model', { isHuman: false, specialistId: 'assistant' }],
  ])('decide nothing by the proposals that they state as %s', (_, role) => {
    const stated = proposed({ ...role, by: 'ada' });
    given([created({}), stated])
      .when(arbitrate())
      .thenNothing();
    given([created(undefined, { if: 'false' }), stated])
      .when(arbitrate())
      .thenLike([{ type: 'ConsensusReached' }, {}]);
    const roster = { proposers: [], arbiter: FIRST, alignment: alignment(), quorum: 1 };
    expect(nextMove(sessionAfter(created({}), stated), roster)).toMatchObject({ move: 'ask-human' });
  });

  it('are needed to exclude the creator: a session of nobody in particular is refused', () => {
    const machine = machineWith({ exclude: ['creator'] });
    given([]).when(create({ machine })).thenRejected({ rejected: 'refused', code: 'creator-unknown' });
    const by = 'ada';
    given([])
      .when(create({ machine, by }))
      .then([created({ exclude: ['creator'] }, true, by)]);
  });
});

describe('a round that needs several people', () => {
  const session = created({ groups: ['buyers'], approvals: 2 });
  const by = (by: string, over: object = {}) =>
    force({ ...refund, specialistId: by, by, groups: ['buyers'], ...over });
  const approval = (by: string, over: Partial<ApprovalGiven['data']> = {}): ApprovalGiven => ({
    type: 'ApprovalGiven',
    data: {
      arbitrationId: 'arbitration-1',
      roundId: 'round-1',
      specialistId: by,
      specialistVersion: 1,
      by,
      transitionName: 'refund',
      toState: 'refunded',
      reasoning: '',
      ...over,
    },
  });
  const decidedBy = (by: string) => [
    approval(by),
    { type: 'HumanOverrideAccepted' },
    executed({ isHuman: true, decidedBy: by, by }),
  ];

  it('is decided by the last of them who choose the same transition with the same arguments', () => {
    given([session])
      .when(by('ann'))
      .then([approval('ann')]);
    given([session, approval('ann')])
      .when(by('bob'))
      .thenLike(decidedBy('bob'));
    given([session, approval('ann', { metaJson: { amount: 1 } })])
      .when(by('bob'))
      .then([approval('bob')]);
  });

  it('counts a person once, with their last choice, and takes a repeat for nothing new', () => {
    given([session, approval('ann')])
      .when(by('ann'))
      .thenNothing();
    const repeated = arbitrationResult(by('ann').data, sessionAfter(session, approval('ann')), []);
    expect(repeated).toMatchObject({
      guardsPass: true,
      guardReason: 'The approval was recorded before: the round needs 2 equal ones',
      executed: false,
      isHuman: true,
    });
    const changed = approval('ann', { transitionName: 'escalate', toState: 'escalated' });
    given([session, approval('ann')])
      .when(by('ann', { transitionName: 'escalate' }))
      .then([changed]);
    given([session, approval('ann'), changed])
      .when(by('bob'))
      .then([approval('bob')]);
    given([session, approval('ann'), changed, approval('ann')])
      .when(by('bob'))
      .thenLike(decidedBy('bob'));
  });

  it('forgets the choices of the round before', () => {
    const on = executed({ transitionName: 'escalate', toState: 'escalated' });
    const resolve = by('bob', { transitionName: 'resolve', nextRoundId: 'round-3' });
    given([session, approval('ann', { transitionName: 'resolve' }), on])
      .when(resolve)
      .thenLike([{ type: 'ApprovalGiven' }]);
  });

  it('asks no arbiter', () => {
    given([session, proposed()])
      .when(arbitrate())
      .thenRejected({ rejected: 'refused', code: 'needs-person' });
    const roster = { proposers: [], arbiter: FIRST, alignment: alignment(), quorum: 1 };
    expect(nextMove(sessionAfter(session, proposed()), roster)).toMatchObject({
      move: 'ask-human',
      reason: 'needs-person',
    });
  });
});
