import { describe, expect, it } from '@jest/globals';
import { specify } from '#lib/kernel/testing';
import { sessionDecider } from '../session.decider.js';
import type { SessionEvent } from '../session.events.js';
import {
  alignment,
  arbitrate,
  basis,
  force,
  FIRST,
  MARGIN,
  notReached,
  opposed,
  reached,
} from '../testing/arbitration-examples.js';
import {
  at,
  created,
  executed,
  machine,
  proposed,
  sessionAfter,
  solicited,
} from '../testing/session-examples.js';

const { given } = specify(sessionDecider);
const split = [created(), proposed(), opposed()];
const even = alignment({ assistant: 0.5, other: 0.5 });
const looked = basis(MARGIN, [proposed(), opposed()], { alignment: even, threshold: 1 });
const undecided = notReached(looked, {
  reasoning: 'margin 0.00 of "refund", threshold 1',
  margin: 0,
});
const escalated = executed({ transitionName: 'escalate', toState: 'escalated' });

describe('SubmitArbitration, with a built-in arbiter', () => {
  it('decides the round when the arbiter sees consensus: its yes and the transition are one append', () => {
    given([created(), proposed({ reasoning: 'why', metaJson: { amount: 5 } })])
      .when(arbitrate())
      .then([
        reached(basis(FIRST, [proposed()])),
        executed({ reasoning: 'why', metaJson: { amount: 5 }, proposalId: 'proposal-1' }),
      ]);
  });

  it('D-38: lets what the caller says win over what the winner said, "" too', () => {
    const said = { reasoning: '', metaJson: { by: 'caller' } };
    given([created(), proposed({ reasoning: 'why', metaJson: { amount: 5 } })])
      .when(arbitrate(said))
      .then([reached(basis(FIRST, [proposed()])), executed({ ...said, proposalId: 'proposal-1' })]);
  });

  it('records the basis of the verdict, with the effective threshold and the margin as numbers', () => {
    const trusted = alignment({ other: 0.6, assistant: 0.2, absent: 0.9 }, { position: 'log.7' });
    const strict = { ...machine, consensusThreshold: 0.5 };
    given([created({ machine: strict }), proposed(), opposed()])
      .when(arbitrate({ arbiter: { ...MARGIN, threshold: 0.9 }, alignment: trusted }))
      .then([
        reached(
          basis({ ...MARGIN, threshold: 0.9 }, [proposed(), opposed()], {
            alignment: trusted,
            threshold: 0.5,
          }),
          {
            winningProposalId: 'proposal-2',
            reasoning: 'margin 0.50 of "escalate", threshold 0.5',
            margin: 0.5,
          },
        ),
        { ...escalated, data: { ...escalated.data, decidedBy: 'arbiter', proposalId: 'proposal-2' } },
      ]);
  });

  it('records that there is no consensus, with the strategy’s own threshold when none is set', () => {
    given(split)
      .when(arbitrate({ arbiter: MARGIN, alignment: even }))
      .then([undecided]);
  });

  it('does not say again what it said, be it asked as often as anybody likes', () => {
    const again = arbitrate({ arbitrationId: 'arbitration-2', arbiter: MARGIN, alignment: even });
    given([...split, undecided])
      .when(again)
      .thenNothing();
    const farther = { ...even, position: 'log.9' };
    given([...split, undecided])
      .when(arbitrate({ arbiter: MARGIN, alignment: farther }))
      .thenNothing();
  });

  it.each<[string, readonly SessionEvent[], ReturnType<typeof alignment>]>([
    ['a proposal came', [opposed({ proposalId: 'proposal-3', specialistId: 'third' })], even],
    ['a score changed', [], alignment({ assistant: 0.5, other: 0.25 })],
    ['the scoring rule changed', [], { ...even, rule: 'ratio' }],
  ])('says it again once %s', (_, more, known) => {
    const again = { arbitrationId: 'arbitration-2', arbiter: MARGIN, alignment: known };
    const session = sessionAfter(...split, undecided, ...more);
    const outcome = sessionDecider.decide(arbitrate(again), session);
    expect(outcome).toMatchObject([
      { type: 'ConsensusNotReached', data: { arbitrationId: 'arbitration-2', alignment: known } },
    ]);
  });

  it('says it again in another round', () => {
    const again = [
      proposed({ roundId: 'round-2', transitionName: 'resolve' }),
      opposed({ roundId: 'round-2' }),
    ];
    given([...split, undecided, executed({ ...escalated.data }), ...again])
      .when(arbitrate({ arbiter: MARGIN, alignment: even }))
      .then([
        notReached(basis(MARGIN, again, { alignment: even, threshold: 1 }), {
          roundId: 'round-2',
          reasoning: 'margin 0.00 of "resolve", threshold 1',
          margin: 0,
        }),
      ]);
  });

  it('decides as soon as the scores let it, although it said no before', () => {
    given([...split, undecided])
      .when(arbitrate({ arbiter: FIRST, alignment: even }))
      .then([
        reached(basis(FIRST, [proposed(), opposed()], { alignment: even })),
        executed({ proposalId: 'proposal-1' }),
      ]);
  });

  it('is refused when no arbiter can judge', () => {
    const { arbiter: _, ...data } = arbitrate().data;
    given([created(), proposed()]).when({ type: 'SubmitArbitration', data }).thenRejected({
      rejected: 'refused',
      code: 'no-arbiter',
      message:
        '[NoArbiter] the round at "triage" of machine support: no arbiter is registered and enabled for it. Register an arbiter, for example with strategyFnName "alignmentMargin".',
    });
  });

  it('does not wait for solicitations that are under way', () => {
    given([created(), solicited({ specialistId: 'other' }), proposed()])
      .when(arbitrate())
      .then([reached(basis(FIRST, [proposed()])), executed({ proposalId: 'proposal-1' })]);
  });
});

describe('SubmitArbitration that a guard holds back', () => {
  const history = [created(), proposed(), escalated, proposed({ roundId: 'round-2' })];
  const resolve = force({ transitionName: 'resolve' });

  it('D-37: writes nothing for a round that is over', () => {
    given(history).when(at('round-1', arbitrate())).thenNothing();
    given(history).when(at('round-1', resolve)).thenNothing();
  });

  it.each([arbitrate(), resolve])('X-D10: is refused for a round that never was', (command) => {
    given(history).when(at('round-9', command)).thenRejected({ rejected: 'conflict', code: 'unknown-round' });
  });

  it('D-37: writes nothing without proposals', () => {
    given([created()]).when(arbitrate()).thenNothing();
    given([created(), proposed(), escalated]).when(arbitrate()).thenNothing();
  });

  it('D-37: writes nothing for an override by a specialist that is not human', () => {
    given([created(), proposed()])
      .when(force({ isHuman: false }))
      .thenNothing();
  });

  it.each(['close', 'resolve', 'constructor', '__proto__'])(
    '0.2-H3: is refused for a force of %s, which the state does not offer',
    (transitionName) => {
      given([created()])
        .when(force({ transitionName }))
        .thenRejected({ rejected: 'refused', code: 'unknown-transition' });
    },
  );

  it('X-D6: a person leaves the goal by one of its transitions; nothing is arbitrated there', () => {
    const left = sessionDecider.decide(
      force({ transitionName: 'reopen' }),
      sessionAfter(created(), executed()),
    );
    expect(left).toMatchObject([
      { type: 'HumanOverrideAccepted', data: { toState: 'triage' } },
      { type: 'TransitionExecuted', data: { fromState: 'refunded', toState: 'triage' } },
    ]);
    given([created(), executed()]).when(arbitrate()).thenNothing();
    const lost = [created(), executed({ toState: 'lost' })];
    given(lost)
      .when(force({ transitionName: 'reopen' }))
      .thenRejected({ code: 'unknown-transition' });
  });

  it('X-T1: writes nothing with fewer proposals than the quorum, which a state writes above its machine', () => {
    const strict = (state: object, quorum = 1) => {
      const triage = { ...machine.states['triage'], ...state };
      return created({ machine: { ...machine, quorum, states: { ...machine.states, triage } } });
    };
    given([strict({}, 2), proposed()])
      .when(arbitrate())
      .thenNothing();
    given([strict({ quorum: 2 }), proposed()])
      .when(arbitrate({ quorum: 1 }))
      .thenNothing();
    given([created(), proposed()])
      .when(arbitrate({ quorum: 2 }))
      .thenNothing();
    given([strict({ quorum: 1 }, 3), proposed()])
      .when(arbitrate({ quorum: 2 }))
      .then([reached(basis(FIRST, [proposed()], { quorum: 1 })), executed({ proposalId: 'proposal-1' })]);
  });

  it('X-T1: a person overrides at any quorum', () => {
    const session = sessionAfter(created({ machine: { ...machine, quorum: 3 } }));
    expect(sessionDecider.decide(force(), session)).toMatchObject([
      { type: 'HumanOverrideAccepted' },
      { type: 'TransitionExecuted' },
    ]);
  });

  it('needs no arbiter to be held back', () => {
    const { arbiter: _, ...data } = arbitrate().data;
    given([created()]).when({ type: 'SubmitArbitration', data }).thenNothing();
  });
});
