import { describe, it } from '@jest/globals';
import { specify } from '#lib/kernel/testing';
import { sessionDecider } from '../session.decider.js';
import type { HumanOverrideAccepted, SessionEvent } from '../session.events.js';
import {
  alignment,
  arbitrationRequested,
  basis,
  EXTERNAL,
  force,
  FIRST,
  MARGIN,
  NEEDED,
  NO_VERDICT,
  notReached,
  opposed,
  reached,
  verdictSetAside,
} from '../testing/arbitration-examples.js';
import {
  created,
  executed,
  FAILURE,
  machine,
  proposed,
  setAside,
  solicited,
} from '../testing/session-examples.js';

const { given } = specify(sessionDecider);

function accepted(over: Partial<HumanOverrideAccepted['data']> = {}): HumanOverrideAccepted {
  return {
    type: 'HumanOverrideAccepted',
    data: {
      arbitrationId: 'arbitration-1',
      roundId: 'round-1',
      specialistId: 'ada',
      specialistVersion: 1,
      transitionName: 'escalate',
      toState: 'escalated',
      reasoning: '',
      scope: { machineName: 'support' },
      fromState: 'triage',
      proposals: [],
      alignment: alignment(),
      ...over,
    },
  };
}
const forced = executed({ transitionName: 'escalate', toState: 'escalated', isHuman: true });
const open = (event: ReturnType<typeof proposed>) => event.data;

describe('SubmitArbitration by a human who forces a transition', () => {
  it('D-39: decides the round at once: the override and its transition are one append', () => {
    given([created()]).when(force()).then([accepted(), forced]);
  });

  it('D-39, D-41: keeps what can be learned from it: the question, everyone’s proposals in order, their alignment', () => {
    const known = alignment({ assistant: 0.5 }, { position: 'log.7' });
    given([created(), proposed({ reasoning: 'why' }), opposed()])
      .when(force({ alignment: known }))
      .then([
        accepted({ alignment: known, proposals: [open(proposed({ reasoning: 'why' })), open(opposed())] }),
        forced,
      ]);
  });

  it('D-38: says what the human says, and takes nothing from proposals', () => {
    const said = { reasoning: 'I know her', metaJson: { order: 7 } };
    given([created(), opposed({ reasoning: 'theirs', metaJson: { amount: 5 } })])
      .when(force(said))
      .then([
        accepted({ ...said, proposals: [open(opposed({ reasoning: 'theirs', metaJson: { amount: 5 } }))] }),
        { ...forced, data: { ...forced.data, ...said } },
      ]);
  });

  it('0.2-H2: accepts a proposal with its arguments, or with others as an edit of it', () => {
    const proposal = proposed({ reasoning: 'theirs', metaJson: { amount: 5 } });
    const { transitionName: _, ...data } = force().data;
    const accept = (more: object = {}) =>
      ({ type: 'SubmitArbitration', data: { ...data, proposalId: 'proposal-1', ...more } }) as const;
    const { transitionName, toState } = proposal.data;
    for (const [given_, metaJson, edited] of [
      [{}, { amount: 5 }, {}],
      [{ metaJson: { amount: 5 } }, { amount: 5 }, {}],
      [{ metaJson: { amount: 7 } }, { amount: 7 }, { edited: true as const }],
    ] as const) {
      const said = { transitionName, toState, reasoning: 'theirs', metaJson };
      const proposals = [open(proposal)];
      given([created(), proposal])
        .when(accept(given_))
        .then([
          accepted({ proposalId: 'proposal-1', ...edited, ...said, proposals }),
          { ...forced, data: { ...forced.data, ...said, proposalId: 'proposal-1' } },
        ]);
    }
    for (const command of [accept({ proposalId: 'proposal-9' }), accept({ transitionName: 'escalate' })])
      given([created(), proposal]).when(command).thenRejected({ rejected: 'conflict', code: 'changed' });
  });

  it('0.2-H2: needs arguments where the transition requires some, and neither a proposal nor arguments are given', () => {
    const parameters = { type: 'object', properties: { amount: { type: 'number' } }, required: ['amount'] };
    const refund = { target: 'refunded', parameters };
    const transitions = {
      ...machine.states['triage']?.transitions,
      escalate: { ...refund, target: 'escalated' },
    };
    const states = { ...machine.states, triage: { ...machine.states['triage'], transitions } };
    const history = [created({ machine: { ...machine, states } })];
    given(history)
      .when(force({ by: 'ann' }))
      .thenRejected({ rejected: 'refused', code: 'arguments-needed' });
    // A command of 0.2 names no author, and replays as it was decided.
    given(history).when(force()).then([accepted(), forced]);
  });

  it('D-34: teaches in the state where that has specialists of its own', () => {
    const triage = { ...machine.states['triage'], specialists: [] };
    const own = { ...machine, states: { ...machine.states, triage } };
    given([created({ machine: own })])
      .when(force())
      .then([accepted({ scope: { machineName: 'support', state: 'triage' } }), forced]);
  });

  const two = [proposed(), opposed()];
  const looked = basis(EXTERNAL, two);
  it.each<[string, readonly SessionEvent[]]>([
    ['there is no proposal', []],
    ['everybody proposed something else', [proposed()]],
    ['a proposer is being asked', [solicited()]],
    ['proposers failed', [solicited(), FAILURE, setAside('invalid')]],
    ['an arbiter is being asked', [...two, arbitrationRequested(looked)]],
    ['an arbiter saw no consensus', [...two, notReached(basis(MARGIN, two))]],
    ['an arbiter failed', [...two, arbitrationRequested(looked), NO_VERDICT]],
    [
      'an arbiter’s verdict could not be taken',
      [...two, arbitrationRequested(looked), verdictSetAside('invalid')],
    ],
    ['a person is waited for', [NEEDED]],
  ])('always wins in an open round: %s', (_, more) => {
    const proposals = more.flatMap((event) => (event.type === 'ProposalSubmitted' ? [event.data] : []));
    given([created(), ...more])
      .when(force())
      .then([accepted({ proposals }), forced]);
  });

  it('needs no arbiter', () => {
    const { arbiter: _, ...data } = force().data;
    given([created()]).when({ type: 'SubmitArbitration', data }).then([accepted(), forced]);
  });

  it('is stale once the round was decided, by whomever', () => {
    const named = force({ roundId: 'round-1', transitionName: 'resolve' });
    const elsewhere = executed({ transitionName: 'escalate', toState: 'escalated' });
    given([created(), elsewhere]).when(named).thenNothing();
    given([created(), proposed(), reached(basis(FIRST, [proposed()])), elsewhere])
      .when(named)
      .thenNothing();
    given([created(), accepted(), forced]).when(named).thenNothing();
  });

  it('is for the round after when it names none and that one is current', () => {
    const next = { roundId: 'round-2', transitionName: 'lose', toState: 'lost' };
    given([created(), accepted(), forced])
      .when(force({ transitionName: 'lose', nextRoundId: 'round-3' }))
      .then([
        accepted({ ...next, fromState: 'escalated' }),
        executed({ ...next, nextRoundId: 'round-3', fromState: 'escalated', isHuman: true }),
      ]);
  });
});
