import { describe, expect, it } from '@jest/globals';
import { proposerContext } from './proposer-context.js';
import { created, executed, proposed, SESSION_ID, sessionAfter } from './testing/session-examples.js';

const escalated = executed({
  transitionName: 'escalate',
  toState: 'escalated',
  reasoning: 'why',
  metaJson: { a: 1 },
});
const advanced = sessionAfter(created({ metaJson: { order: 7 } }), proposed(), escalated);

describe('proposerContext', () => {
  it('D-25: tells a proposer where the session is, what it offers and how it came there', () => {
    expect(proposerContext(advanced, 'round-2')).toStrictEqual({
      sessionId: SESSION_ID,
      machineName: 'support',
      currentState: 'escalated',
      prompt: '',
      transitions: { resolve: { target: 'refunded' }, lose: { target: 'lost' } },
      history: [
        {
          transitionName: 'escalate',
          fromState: 'triage',
          toState: 'escalated',
          reasoning: 'why',
          metaJson: { a: 1 },
        },
      ],
      metaJson: { order: 7 },
    });
  });

  it('is that of the round that is asked for, even when it is over', () => {
    expect(proposerContext(advanced, 'round-1')).toMatchObject({
      currentState: 'triage',
      prompt: 'What next?',
      transitions: { refund: { target: 'refunded' }, escalate: { target: 'escalated' } },
      history: [],
    });
  });

  it('leaves metaJson absent where the session has none', () => {
    expect(proposerContext(sessionAfter(created()), 'round-1')).not.toHaveProperty('metaJson');
  });
});
