import { describe, expect, it } from '@jest/globals';
import type { MachineDefinition } from '#lib/decisions/machines';
import type { SessionEvent } from '../session.events.js';
import { alignment, arbitrationRequested, basis, MARGIN, opposed } from '../testing/arbitration-examples.js';
import {
  created,
  executed,
  FAILURE,
  machine,
  proposed,
  sessionAfter,
  solicited,
} from '../testing/session-examples.js';
import { type LoopProgress, loopMoves } from './session-loop.rules.js';

const roster = {
  proposers: ['assistant', 'other', 'third'],
  arbiter: MARGIN,
  alignment: alignment(),
  quorum: 2,
};
const begun: LoopProgress = {
  pace: 'step',
  roundId: 'round-1',
  hasAsked: false,
  hasCalledHuman: false,
  cannotAsk: [],
};
const moves = (events: readonly SessionEvent[], over: Partial<LoopProgress> = {}) =>
  loopMoves(sessionAfter(created(), ...events), roster, { ...begun, ...over });

const ask = (specialistId: string) => ({ move: 'solicit', specialistId });
const two = [proposed(), opposed()];
const escalated = executed({ transitionName: 'escalate', toState: 'escalated' });
const asking = solicited({ solicitationId: 'solicitation-3', specialistId: 'third' });

describe.each(['step', 'round'] as const)('a loop at the pace "%s"', (pace) => {
  it('has the arbiter judge the proposals once no proposer is left to ask, or waits for it', () => {
    const third = proposed({ proposalId: 'proposal-3', specialistId: 'third' });
    expect(moves([...two, third], { pace, hasAsked: true })).toEqual([{ move: 'arbitrate' }]);
    const open = arbitrationRequested({ ...basis(MARGIN, two) });
    const { arbitrationId } = open.data;
    expect(moves([...two, third, open], { pace })).toEqual([{ move: 'finish-arbitration', arbitrationId }]);
  });

  it('ends with its round, where the session is at rest, and once a person is called', () => {
    expect(moves([...two, escalated], { pace })).toEqual([]);
    expect(moves([executed()], { pace, roundId: 'round-2' })).toEqual([]);
    expect(moves([], { pace, hasCalledHuman: true })).toEqual([]);
  });
});

describe('a step when the machine says that proposers are asked together', () => {
  const together: MachineDefinition = { ...machine, ask: 'together' };
  const inStep = (events: readonly SessionEvent[], over: Partial<LoopProgress> = {}) =>
    loopMoves(sessionAfter(created({ machine: together }), ...events), roster, { ...begun, ...over });

  it('asks all proposers not asked yet and waits for those being asked, concurrently, then asks the arbiter', () => {
    expect(inStep([])).toEqual(['assistant', 'other', 'third'].map(ask));
    expect(inStep([proposed(), asking])).toEqual([
      { move: 'finish-solicitation', solicitationId: 'solicitation-3', specialistId: 'third' },
      ask('other'),
    ]);
    const third = proposed({ proposalId: 'proposal-3', specialistId: 'third' });
    expect(inStep([...two, third], { hasAsked: true })).toEqual([{ move: 'arbitrate' }]);
  });

  it('leaves proposers reinstated during the step to the next step', () => {
    expect(inStep(two, { hasAsked: true })).toEqual([]);
  });

  it('takes the word of the state above that of the machine', () => {
    const { triage } = machine.states;
    const states = { ...machine.states, triage: { ...triage, ask: 'in turn' as const } };
    const session = sessionAfter(created({ machine: { ...together, states } }));
    expect(loopMoves(session, roster, begun)).toEqual([ask('assistant')]);
  });
});

describe('a step', () => {
  it('asks one proposer, then leaves the next one, those that are under way and a person to the next step', () => {
    expect(moves([])).toEqual([ask('assistant')]);
    expect(moves([solicited(), FAILURE], { hasAsked: true })).toEqual([]);
    const others = { cannotAsk: ['assistant', 'other'] };
    const waiting = [
      { move: 'finish-solicitation', solicitationId: 'solicitation-3', specialistId: 'third' },
    ];
    expect(moves([asking], others)).toEqual(waiting);
    expect(moves([asking], { ...others, hasAsked: true })).toEqual([]);
    expect(moves([], { cannotAsk: roster.proposers })).toMatchObject([{ move: 'ask-human' }]);
    expect(moves([], { cannotAsk: roster.proposers, hasAsked: true })).toEqual([]);
  });
});

describe('a whole round', () => {
  it('asks all proposers not asked yet concurrently, in their order', () => {
    expect(moves([], { pace: 'round' })).toEqual(['assistant', 'other', 'third'].map(ask));
  });

  it('waits for proposers being asked, and skips those that failed, have proposed, or cannot be asked here', () => {
    const stated = proposed({ proposalId: 'proposal-2', specialistId: 'other' });
    expect(moves([solicited(), FAILURE, asking, stated], { pace: 'round' })).toEqual([
      { move: 'finish-solicitation', solicitationId: 'solicitation-3', specialistId: 'third' },
    ]);
    expect(moves([], { pace: 'round', cannotAsk: ['other'] })).toEqual(['assistant', 'third'].map(ask));
  });

  it('asks a person once all proposers have answered without a decision', () => {
    const cannotAsk = ['other', 'third'];
    const heard = [solicited(), FAILURE];
    expect(moves(heard, { pace: 'round', hasAsked: true, cannotAsk })).toMatchObject([{ move: 'ask-human' }]);
  });

  it('asks all proposers again in the next round', () => {
    const next = { pace: 'round', roundId: 'round-2' } as const;
    expect(moves([solicited(), escalated], next)).toEqual(['assistant', 'other', 'third'].map(ask));
  });
});
