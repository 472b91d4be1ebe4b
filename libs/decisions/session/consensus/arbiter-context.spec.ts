import { describe, expect, it } from '@jest/globals';
import { alignment, EXTERNAL, opposed } from '../testing/arbitration-examples.js';
import {
  created,
  executed,
  machine,
  proposed,
  SESSION_ID,
  sessionAfter,
} from '../testing/session-examples.js';
import { arbiterContext } from './arbiter-context.js';

describe('arbiterContext', () => {
  it('D-36: tells an arbiter what is so in the round, and how far each proposer is trusted', () => {
    const session = sessionAfter(created({ metaJson: { order: 7 } }), proposed({ costUSD: 2 }), opposed());
    const context = arbiterContext(session, { ...EXTERNAL, threshold: 0.5 }, alignment({ assistant: 0.2 }));
    expect(context).toStrictEqual({
      sessionId: SESSION_ID,
      roundId: 'round-1',
      machineName: 'support',
      currentState: 'triage',
      prompt: 'What next?',
      proposals: session.proposals,
      alignment: { assistant: 0.2, other: 0 },
      history: [],
      threshold: 0.5,
      metaJson: { order: 7 },
    });
  });

  it('D-34: gives 1 to a human who proposed, and to each other proposer its alignment from 0 to 1', () => {
    const session = sessionAfter(
      created(),
      proposed({ specialistId: 'ada', specialistVersion: 1, isHuman: true }),
    );
    const known = alignment({ ada: 0.1, absent: 0.4, wild: 7 });
    expect(arbiterContext(session, EXTERNAL, known).alignment).toEqual({ ada: 1, absent: 0.4, wild: 1 });
  });

  it.each(['__proto__', 'constructor'])(
    'keeps what is known of a specialist called %s as its own',
    (name) => {
      const scores = [{ specialistId: name, specialistVersion: 1, score: 0.5 }];
      const { alignment: map } = arbiterContext(sessionAfter(created()), EXTERNAL, alignment({}, { scores }));
      expect(Object.entries(map)).toEqual([[name, 0.5]]);
    },
  );

  it('D-35: leaves threshold and metaJson absent when there are none, and takes the machine’s before the arbiter’s', () => {
    const bare = arbiterContext(sessionAfter(created()), EXTERNAL, alignment());
    expect(bare).not.toHaveProperty('threshold');
    expect(bare).not.toHaveProperty('metaJson');
    const strict = sessionAfter(created({ machine: { ...machine, consensusThreshold: 0.9 } }));
    expect(arbiterContext(strict, { ...EXTERNAL, threshold: 0.5 }, alignment()).threshold).toBe(0.9);
  });

  it('is that of the current round, with the history before it', () => {
    const escalated = executed({ transitionName: 'escalate', toState: 'escalated' });
    const context = arbiterContext(sessionAfter(created(), proposed(), escalated), EXTERNAL, alignment());
    expect(context).toMatchObject({
      roundId: 'round-2',
      currentState: 'escalated',
      prompt: '',
      proposals: [],
    });
    expect(context.history).toHaveLength(1);
  });
});
