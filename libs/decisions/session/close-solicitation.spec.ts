import { describe, it } from '@jest/globals';
import { specify } from '#lib/kernel/testing';
import type { Choice } from './choice.js';
import { sessionDecider } from './session.decider.js';
import type { SessionEvent } from './session.events.js';
import {
  close,
  created,
  executed,
  FAILURE,
  proposed,
  setAside,
  solicited,
} from './testing/session-examples.js';

const { given } = specify(sessionDecider);
function choice(over: Partial<Choice> = {}): Choice {
  return { transitionName: 'refund', toState: 'refunded', reasoning: 'r', ...over };
}
const asked: readonly SessionEvent[] = [created(), solicited()];
const closedBy = { solicitationId: 'solicitation-1' };

describe('CloseSolicitation', () => {
  it('D-24: records a choice as the proposal of the asked specialist, never as a human’s', () => {
    given(asked)
      .when(close({ choice: choice() }))
      .then([proposed({ reasoning: 'r', ...closedBy })]);
  });

  it('case 41: the metaJson of the strategy reaches the proposal', () => {
    given(asked)
      .when(close({ choice: choice({ metaJson: { amount: 5 } }) }))
      .then([proposed({ reasoning: 'r', metaJson: { amount: 5 }, ...closedBy })]);
  });

  it('case 42: the metaJson of the caller wins', () => {
    given([created(), solicited({ given: { metaJson: { by: 'caller' } } })])
      .when(close({ choice: choice({ metaJson: { amount: 5 } }) }))
      .then([proposed({ reasoning: 'r', metaJson: { by: 'caller' }, ...closedBy })]);
  });

  it('case 43: when neither gives one, metaJson is absent', () => {
    given(asked)
      .when(close({ choice: choice() }))
      .then([proposed({ reasoning: 'r', ...closedBy })]);
  });

  it('D-22: lets each value of the caller win, 0 and "" too, and the proposer fill the rest', () => {
    const numbers = { costUSD: 9, latencyMsec: 9, numInputTokens: 9, numOutputTokens: 9 };
    const stated = { reasoning: '', costUSD: 0, numInputTokens: 0 };
    given([created(), solicited({ given: stated })])
      .when(close({ choice: choice(numbers) }))
      .then([proposed({ ...numbers, ...stated, ...closedBy })]);
  });

  it('sets a choice aside as late when its round is over', () => {
    given([...asked, executed({ transitionName: 'escalate', toState: 'escalated' })])
      .when(close({ choice: choice() }))
      .then([setAside('late', { reasoning: 'r', ...closedBy })]);
  });

  it('sets a choice aside as duplicate when the specialist has proposed in the round', () => {
    given([...asked, proposed()])
      .when(close({ choice: choice() }))
      .then([setAside('duplicate', { reasoning: 'r', ...closedBy })]);
  });

  it.each([
    ['a transition that is not offered', { transitionName: 'close', toState: 'closed' }],
    ['a hostile name', { transitionName: 'constructor', toState: 'refunded' }],
    ['a target that is not the transition’s', { toState: 'escalated' }],
  ])('D-24: sets a choice of %s aside as invalid', (_, over) => {
    given(asked)
      .when(close({ choice: choice(over) }))
      .then([setAside('invalid', { reasoning: 'r', ...over, ...closedBy })]);
  });

  it('calls a choice late rather than duplicate or invalid', () => {
    const over = [...asked, proposed(), executed({ transitionName: 'escalate', toState: 'escalated' })];
    given(over)
      .when(close({ choice: choice({ transitionName: 'close' }) }))
      .then([setAside('late', { reasoning: 'r', transitionName: 'close', ...closedBy })]);
  });

  it('records a failure in any state of the round', () => {
    const { failure } = FAILURE.data;
    given(asked).when(close({ failure })).then([FAILURE]);
    given([...asked, executed()])
      .when(close({ failure }))
      .then([FAILURE]);
  });

  it.each<[string, SessionEvent]>([
    ['a proposal', proposed(closedBy)],
    ['a proposal that was set aside', setAside('late', closedBy)],
    ['a failure', FAILURE],
  ])('is nothing to do for a solicitation that %s closed', (_, closing) => {
    given([...asked, closing])
      .when(close({ choice: choice() }))
      .thenNothing();
    given([...asked, closing])
      .when(close({ failure: FAILURE.data.failure }))
      .thenNothing();
  });

  it('is nothing to do for a solicitation that never was', () => {
    given([created()])
      .when(close({ choice: choice() }))
      .thenNothing();
  });

  it('closes its own solicitation only', () => {
    const other = solicited({ specialistId: 'other', solicitationId: 'solicitation-2' });
    given([...asked, other, proposed(closedBy)])
      .when(close({ failure: FAILURE.data.failure }, 'solicitation-2'))
      .then([
        {
          type: 'ProposalFailed',
          data: { ...FAILURE.data, specialistId: 'other', solicitationId: 'solicitation-2' },
        },
      ]);
  });
});
