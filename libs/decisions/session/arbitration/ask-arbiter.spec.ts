import { describe, expect, it } from '@jest/globals';
import { fold } from '#lib/kernel';
import { specify } from '#lib/kernel/testing';
import { sessionDecider } from '../session.decider.js';
import type { SessionEvent } from '../session.events.js';
import {
  AGREED,
  alignment,
  arbitrate,
  arbitrationRequested,
  basis,
  closeArbitration,
  EXTERNAL,
  NO_VERDICT,
  notReached,
  opposed,
  reached,
  SPLIT,
  verdictSetAside,
} from '../testing/arbitration-examples.js';
import { created, executed, proposed } from '../testing/session-examples.js';

const { given } = specify(sessionDecider);
const two = [created(), proposed(), opposed()];
const looked = basis(EXTERNAL, [proposed(), opposed()]);
const requested = arbitrationRequested(looked);
const asked: readonly SessionEvent[] = [...two, requested];
const ask = (over: Parameters<typeof arbitrate>[0] = {}) => arbitrate({ arbiter: EXTERNAL, ...over });
const failure = NO_VERDICT.data.failure;
const escalated = executed({ transitionName: 'escalate', toState: 'escalated' });

describe('0.2-H8: a verdict for a proposal below the trust that is asked for', () => {
  const arbiter = { ...EXTERNAL, trust: { minAlignment: 0.5 } };
  const known = alignment({ clerk: 0.2, other: 0.9 });
  const weighed = basis(arbiter, [proposed(), opposed()], { alignment: known, trust: arbiter.trust });
  const history = [...two, arbitrationRequested(weighed)];

  it('decides nothing, and is kept', () => {
    given(history)
      .when(closeArbitration({ verdict: AGREED }, { bindsTrust: true }))
      .then([verdictSetAside('untrusted')]);
  });

  it('decides where the proposal is trusted, and where a command of 0.2 took the word of the arbiter', () => {
    const verdict = { ...AGREED, winningProposalId: 'proposal-2' };
    const state = fold(sessionDecider, history);
    for (const command of [
      closeArbitration({ verdict }, { bindsTrust: true }),
      closeArbitration({ verdict: AGREED }),
    ])
      expect(sessionDecider.decide(command, state)).toMatchObject([{ type: 'ConsensusReached' }, {}]);
  });
});

describe('SubmitArbitration, with an arbiter outside of the session', () => {
  it('asks the arbiter, with all that it is shown and what the caller wants said', () => {
    given(two).when(ask()).then([requested]);
    const said = { reasoning: '', metaJson: { by: 'caller' } };
    given(two)
      .when(ask(said))
      .then([arbitrationRequested(looked, { given: said })]);
  });

  it('asks a webhook like a function', () => {
    const arbiter = {
      specialistId: 'arbiter',
      specialistVersion: 1,
      strategyWebhookUrl: 'https://judge.example',
      webhookTokenName: 'TOKEN',
      threshold: 0.4,
    };
    given(two)
      .when(ask({ arbiter }))
      .then([arbitrationRequested({ ...looked, arbiter, threshold: 0.4 })]);
  });

  it('is refused while an arbiter is being asked about the round', () => {
    given(asked)
      .when(ask({ arbitrationId: 'arbitration-2' }))
      .thenRejected({
        rejected: 'conflict',
        code: 'arbitration-open',
        message: expect.stringMatching(/^\[ArbitrationOpen\] .+: .+arbitration-1.+\. .+\.$/),
      });
  });

  it('asks about the next round while it is still being asked about the one before', () => {
    const next = proposed({ roundId: 'round-2', transitionName: 'resolve' });
    given([...asked, escalated, next])
      .when(ask({ arbitrationId: 'arbitration-2' }))
      .then([
        arbitrationRequested(basis(EXTERNAL, [next]), { arbitrationId: 'arbitration-2', roundId: 'round-2' }),
      ]);
  });

  it.each<[string, SessionEvent]>([
    ['judged', notReached(looked)],
    ['failed to judge', NO_VERDICT],
    ['judged in a way that could not be taken', verdictSetAside('invalid')],
  ])('D-43: asks again about what was %s, but not for a caller that wants no repetition', (_, end) => {
    const again = arbitrationRequested(looked, { arbitrationId: 'arbitration-2' });
    given([...asked, end])
      .when(ask({ arbitrationId: 'arbitration-2' }))
      .then([again]);
    given([...asked, end])
      .when(ask({ arbitrationId: 'arbitration-2', unlessJudged: true }))
      .thenNothing();
  });

  it('D-43: asks about what is new, also for a caller that wants no repetition', () => {
    const third = opposed({ proposalId: 'proposal-3', specialistId: 'third' });
    const known = alignment({ third: 0.5 });
    const once = { arbitrationId: 'arbitration-2', unlessJudged: true };
    given([...asked, notReached(looked), third])
      .when(ask(once))
      .then([
        arbitrationRequested(basis(EXTERNAL, [proposed(), opposed(), third]), {
          arbitrationId: 'arbitration-2',
        }),
      ]);
    given([...asked, NO_VERDICT])
      .when(ask({ ...once, alignment: known }))
      .then([arbitrationRequested({ ...looked, alignment: known }, { arbitrationId: 'arbitration-2' })]);
  });
});

describe('CloseArbitration', () => {
  it('decides the round by the verdict: on what the arbiter was shown, and the winner’s transition in the same append', () => {
    given(asked)
      .when(closeArbitration({ verdict: { ...AGREED, margin: 0.4 } }))
      .then([reached(looked, { reasoning: 'agreed', margin: 0.4 }), executed({ proposalId: 'proposal-1' })]);
  });

  it('D-38: lets what the caller said when the arbiter was asked win over the winner', () => {
    const said = { reasoning: '', metaJson: { by: 'caller' } };
    given([
      created(),
      proposed({ reasoning: 'why', metaJson: { amount: 5 } }),
      arbitrationRequested(looked, { given: said }),
    ])
      .when(closeArbitration({ verdict: AGREED }))
      .then([reached(looked, { reasoning: 'agreed' }), executed({ ...said, proposalId: 'proposal-1' })]);
  });

  it('records no consensus on the proposals that the arbiter saw, even after newer ones', () => {
    const third = opposed({ proposalId: 'proposal-3', specialistId: 'third' });
    given([...asked, third])
      .when(closeArbitration({ verdict: { ...SPLIT, margin: 0.1 } }))
      .then([notReached(looked, { margin: 0.1 })]);
  });

  it.each([
    ['names no winner', { consensusReached: true, reasoning: 'yes' }],
    ['names a proposal that does not exist', { ...AGREED, winningProposalId: 'proposal-9' }],
    ['names a proposal that the arbiter was not shown', { ...AGREED, winningProposalId: 'proposal-3' }],
    ['names nothing real', { ...AGREED, winningProposalId: 'constructor' }],
  ])('D-38: sets a yes aside as invalid that %s', (_, verdict) => {
    const third = opposed({ proposalId: 'proposal-3', specialistId: 'third' });
    given([...asked, third])
      .when(closeArbitration({ verdict }))
      .then([verdictSetAside('invalid', verdict)]);
  });

  it.each([AGREED, SPLIT, { ...AGREED, winningProposalId: 'proposal-9' }])(
    'sets a verdict aside as late when its round is over: %j',
    (verdict) => {
      given([...asked, escalated])
        .when(closeArbitration({ verdict }))
        .then([verdictSetAside('late', verdict)]);
    },
  );

  it('records a failure in any state of the round', () => {
    given(asked).when(closeArbitration({ failure })).then([NO_VERDICT]);
    given([...asked, escalated])
      .when(closeArbitration({ failure }))
      .then([NO_VERDICT]);
  });

  it('does not change the current round at a late end', () => {
    const late = [...asked, escalated, verdictSetAside('late')];
    const next = proposed({ roundId: 'round-2', transitionName: 'resolve' });
    given([...late, next])
      .when(ask({ arbitrationId: 'arbitration-2', unlessJudged: true }))
      .then([
        arbitrationRequested(basis(EXTERNAL, [next]), { arbitrationId: 'arbitration-2', roundId: 'round-2' }),
      ]);
  });

  it.each<[string, readonly SessionEvent[]]>([
    ['a consensus', [reached(looked), executed()]],
    ['no consensus', [notReached(looked)]],
    ['a verdict that was set aside', [verdictSetAside('invalid')]],
    ['a failure', [NO_VERDICT]],
  ])('is nothing to do for an arbitration that %s closed', (_, closing) => {
    for (const result of [{ verdict: AGREED }, { verdict: SPLIT }, { failure }])
      given([...asked, ...closing])
        .when(closeArbitration(result, { nextRoundId: 'round-3' }))
        .thenNothing();
  });

  it('is nothing to do for an arbitration that never was', () => {
    given(two)
      .when(closeArbitration({ verdict: AGREED }))
      .thenNothing();
  });
});
