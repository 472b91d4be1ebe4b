import { describe, expect, it } from '@jest/globals';
import { isRejection } from '#lib/kernel';
import { type InvalidArgumentsPolicy, machineHash, normalizeMachine } from '#lib/decisions/machines';
import { arbitrate, force } from './testing/arbitration-examples.js';
import {
  close,
  created,
  execute,
  machine,
  proposed,
  sessionAfter,
  solicited,
  submit,
} from './testing/session-examples.js';
import type { SessionCommand } from './session.commands.js';
import { sessionDecider } from './session.decider.js';
import type { SessionEvent } from './session.events.js';

const parameters = {
  type: 'object',
  properties: { amount: { type: 'number', maximum: 500 } },
  required: ['amount'],
};
const tooMuch = { amount: 999_999 };

function decided(policy: InvalidArgumentsPolicy, command: SessionCommand, ...events: SessionEvent[]) {
  const refund = { target: 'refunded', parameters, onInvalidArguments: policy };
  const triage = { ...machine.states['triage'], transitions: { refund, escalate: 'escalated' } };
  const strict = normalizeMachine({ ...machine, states: { ...machine.states, triage } });
  const begun = created({ machine: strict, machineHash: machineHash(strict) });
  return sessionDecider.decide(command, sessionAfter(begun, ...events));
}

describe.each(['reject', 'reask'] as const)('arguments that do not fit, with the policy %s', (policy) => {
  it.each([
    ['a proposal of a person', submit({ transitionName: 'refund', isHuman: true, metaJson: tooMuch })],
    ['a proposal for a specialist', submit({ transitionName: 'refund', metaJson: tooMuch })],
    ['the decision of a person', force({ transitionName: 'refund', metaJson: tooMuch })],
    [
      'the call of an operator',
      execute({ transitionName: 'refund', toState: 'refunded', metaJson: tooMuch }),
    ],
  ])('X-T6: are refused in %s, with a pointer', (_, command) => {
    expect(decided(policy, command)).toMatchObject({
      rejected: 'refused',
      code: 'invalid-arguments',
      problems: [{ path: '/metaJson/amount', message: expect.stringContaining('maximum') as unknown }],
    });
  });

  it.each([
    ['a proposal', submit({ transitionName: 'refund' })],
    ['a decision', force({ transitionName: 'refund' })],
    ['a call', execute({ transitionName: 'refund', toState: 'refunded' })],
  ])('X-T6: are refused in %s without any, naming what is missing', (_, command) => {
    expect(decided(policy, command)).toMatchObject({
      code: 'invalid-arguments',
      problems: [{ path: '/metaJson', message: expect.stringContaining('"amount"') as unknown }],
    });
  });

  it('X-T6: are refused when a caller gives them a decision that proposals lead to', () => {
    const proposal = proposed({ transitionName: 'refund', toState: 'refunded', metaJson: { amount: 5 } });
    expect(decided(policy, arbitrate({ metaJson: tooMuch }), proposal)).toMatchObject({
      code: 'invalid-arguments',
    });
    expect(isRejection(decided(policy, arbitrate(), proposal))).toBe(false);
  });

  it('X-T6: fail a proposal that the caller gave them', () => {
    const choice = { transitionName: 'refund', toState: 'refunded', reasoning: '', metaJson: { amount: 5 } };
    const asked = solicited({ given: { metaJson: tooMuch } });
    expect(decided(policy, close({ choice }), asked)).toMatchObject([
      { type: 'ProposalFailed', data: { failure: { kind: 'invalid-arguments' } } },
    ]);
    expect(decided(policy, close({ choice }), solicited())).toMatchObject([{ type: 'ProposalSubmitted' }]);
  });
});

it('X-T6: arguments are taken as they are with the policy accept', () => {
  for (const command of [
    submit({ transitionName: 'refund', metaJson: tooMuch }),
    force({ transitionName: 'refund' }),
  ])
    expect(isRejection(decided('accept', command))).toBe(false);
});
