import { describe, expect, it } from '@jest/globals';
import type { MachineInput } from '../../libs/engine/public/machine.js';
import {
  createTestEngine,
  type ExpectedOutcome,
  given,
  type GivenEvent,
  ImpossibleHistory,
  type SessionOperation,
  UnexpectedOutcome,
} from '../../libs/engine/public/testing.js';

const ann = { role: 'proposer', specialistId: 'ann', isHuman: true } as const;
const clerk = { role: 'proposer', specialistId: 'clerk', modelId: 'm', contextTemplate: 't' } as const;
const judge = { role: 'arbiter', specialistId: 'judge', strategyFnName: 'firstProposal' } as const;

const refunds: MachineInput = {
  machineName: 'refunds',
  initialState: 'triage',
  goalState: 'closed',
  specialists: [clerk, ann, judge],
  states: {
    triage: {
      transitions: {
        approve: {
          target: 'closed',
          description: 'Pay the money back',
          parameters: { type: 'object', properties: { amount: { type: 'number' } }, required: ['amount'] },
          onInvalidArguments: 'reject',
        },
        escalate: { target: 'review', needsPerson: true },
      },
    },
    review: { transitions: { close: 'closed' }, after: [{ in: 'P1D', transition: 'close' }] },
    closed: {},
  },
};

const approve = { specialistId: 'clerk', transitionName: 'approve', metaJson: { amount: 7 } } as const;
const proposed: GivenEvent = { type: 'ProposalSubmitted', data: approve };

describe('given(machine, history).when(command).then(outcome)', () => {
  it.each<[string, readonly GivenEvent[], SessionOperation, ExpectedOutcome]>([
    [
      'begins a session',
      [],
      { type: 'createSession', metaJson: { order: 7 } },
      [{ type: 'SessionCreated', data: { initialState: 'triage', metaJson: { order: 7 } } }],
    ],
    [
      'takes a proposal in a session that has just begun',
      [],
      { type: 'submitProposal', ...approve },
      [{ type: 'ProposalSubmitted', data: { toState: 'closed', isHuman: false } }],
    ],
    [
      'asks a proposer that is to propose by itself',
      [],
      { type: 'submitProposal', specialistId: 'clerk' },
      [{ type: 'ProposalSolicited', data: { specialistId: 'clerk' } }],
    ],
    [
      'has the built-in arbiter decide',
      [proposed],
      { type: 'submitArbitration' },
      [{ type: 'ConsensusReached' }, { type: 'TransitionExecuted', data: { decidedBy: 'judge' } }],
    ],
    [
      'leaves to people what needs a person',
      [{ type: 'ProposalSubmitted', data: { specialistId: 'clerk', transitionName: 'escalate' } }],
      { type: 'submitArbitration' },
      [
        { type: 'ConsensusNotReached', data: { leftToPeople: 'proposal-1' } },
        { type: 'HumanInputRequested' },
      ],
    ],
    [
      'lets a person decide, and begins the clock of the next round',
      [proposed],
      { type: 'submitArbitration', specialistId: 'ann', transitionName: 'escalate' },
      [
        { type: 'HumanOverrideAccepted', data: { by: 'ann' } },
        { type: 'TransitionExecuted', data: { toState: 'review', clockId: expect.any(String) } },
      ],
    ],
    [
      'executes for an operator',
      [{ type: 'TransitionExecuted', data: { transitionName: 'escalate' } }],
      { type: 'executeTransition', transitionName: 'close', toState: 'closed' },
      [{ type: 'TransitionExecuted', data: { fromState: 'review', decidedBy: 'operator' } }],
    ],
    ['closes a session', [], { type: 'closeSession' }, [{ type: 'SessionClosed', data: { by: 'operator' } }]],
    [
      'is refused: twice',
      [proposed],
      { type: 'submitProposal', ...approve },
      { rejection: 'duplicate-proposal' },
    ],
    [
      'is refused: not offered',
      [],
      { type: 'submitProposal', specialistId: 'clerk', transitionName: 'close' },
      { rejection: 'transition-not-offered' },
    ],
    [
      'is refused: arguments that do not fit',
      [],
      { type: 'submitProposal', specialistId: 'clerk', transitionName: 'approve' },
      { rejection: 'invalid-arguments' },
    ],
    [
      'is refused: an arbiter proposes',
      [],
      { type: 'submitProposal', ...approve, specialistId: 'judge' },
      { rejection: 'wrong-specialist' },
    ],
    [
      'is refused: an undeclared proposer where others are declared',
      [],
      { type: 'submitProposal', ...approve, specialistId: 'clark' },
      { rejection: 'wrong-specialist' },
    ],
    [
      'is refused: another session than that of the history',
      [{ type: 'SessionCreated', data: { sessionId: 's1' } }],
      { type: 'closeSession', sessionId: 's2' },
      { rejection: 'unknown-session' },
    ],
    [
      'is refused after the end',
      [{ type: 'SessionClosed' }],
      { type: 'submitProposal', ...approve },
      { rejection: 'closed' },
    ],
    [
      'is refused: malformed',
      [],
      { type: 'submitProposal', ...approve, costUSD: -1 },
      { rejection: 'malformed-input' },
    ],
  ])('%s', (_, history, command, expected) => {
    given(refunds, history).when(command).then(expected);
  });

  it('decides as the engine does, on the events of a session that an engine recorded', async () => {
    const engine = await createTestEngine();
    const { redial } = engine;
    await redial.defineMachine(refunds);
    const { sessionId } = await redial.createSession({ machineName: 'refunds' });
    await redial.submitProposal({ sessionId, ...approve });
    const before = (await redial.listSessionEvents({ sessionId })).items as readonly GivenEvent[];
    await redial.submitArbitration({ sessionId });
    const after = (await redial.listSessionEvents({ sessionId })).items.slice(before.length);
    await engine.close();
    const ids = { arbitrationId: expect.any(String), nextRoundId: expect.any(String) };
    const expected = after.map(({ type, data }) => {
      const known = Object.fromEntries(Object.entries(data).filter(([name]) => !(name in ids)));
      return { type, data: known };
    });
    expect(expected).toHaveLength(2);
    given(refunds, before)
      .when({ type: 'submitArbitration', sessionId })
      .then(expected as ExpectedOutcome);
  });

  it('says what came, and where it differs', () => {
    const { then } = given(refunds).when({ type: 'submitProposal', ...approve });
    expect(() => then([{ type: 'ProposalSubmitted', data: { toState: 'review' } }])).toThrow(
      UnexpectedOutcome,
    );
    expect(() => then([{ type: 'ProposalSubmitted', data: { toState: 'review' } }])).toThrow(
      '/0/data/toState is "closed", and "review" was expected; there came ProposalSubmitted {',
    );
    expect(() => then({ rejection: 'closed' })).toThrow('[UnexpectedOutcome] submitProposal: ');
    expect(() => then([])).toThrow('ProposalSubmitted');
    const refused = given(refunds).when({ type: 'submitProposal', specialistId: 'ann' });
    expect(() => refused.then([])).toThrow('[WrongSpecialist]');
    expect(() => refused.then({ rejection: 'closed' })).toThrow('/rejection is "wrong-specialist"');
  });

  it('names what is impossible in a history', () => {
    const refund = { type: 'ProposalSubmitted', data: { transitionName: 'refund' } } as const;
    const when = (history: readonly GivenEvent[]) => () =>
      given(refunds, history).when({ type: 'closeSession' });
    expect(when([refund])).toThrow(ImpossibleHistory);
    expect(when([refund])).toThrow('Name one of approve, escalate');
    expect(when([proposed, { type: 'SessionCreated' }])).toThrow('a session has no SessionCreated there');
    expect(() => given({ ...refunds, initialState: 'none' })).toThrow('[InvalidMachine]');
  });
});
