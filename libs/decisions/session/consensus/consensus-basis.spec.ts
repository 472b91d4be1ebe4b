import { describe, expect, it } from '@jest/globals';
import { alignment, basis, EXTERNAL, MARGIN, opposed } from '../testing/arbitration-examples.js';
import { created, proposed, sessionAfter } from '../testing/session-examples.js';
import { consensusBasis, sameBasis } from './consensus-basis.js';

const one = basis(EXTERNAL, [proposed()], { alignment: alignment({ assistant: 0.5 }), threshold: 0.7 });

describe('consensusBasis', () => {
  it('is everything the arbiter looks at: who stood for what, how far each is trusted, the threshold that holds', () => {
    const session = sessionAfter(created(), proposed({ metaJson: { amount: 5 } }), opposed());
    const known = alignment({ assistant: 0.5 }, { position: 'log.7' });
    expect(consensusBasis(session, MARGIN, known)).toStrictEqual({
      arbiter: MARGIN,
      proposals: [
        {
          proposalId: 'proposal-1',
          specialistId: 'assistant',
          specialistVersion: 1,
          isHuman: false,
          transitionName: 'refund',
        },
        {
          proposalId: 'proposal-2',
          specialistId: 'other',
          specialistVersion: 1,
          isHuman: false,
          transitionName: 'escalate',
        },
      ],
      alignment: known,
      threshold: 1,
    });
  });

  it('leaves the threshold absent when none is set', () => {
    expect(consensusBasis(sessionAfter(created()), EXTERNAL, alignment())).not.toHaveProperty('threshold');
  });
});

describe('sameBasis', () => {
  it('does not mind how far the log was read', () => {
    const later = { ...one, alignment: { ...one.alignment, position: 'log.9' } };
    expect(sameBasis(one, later)).toBe(true);
  });

  it.each([
    ['arbiter', { arbiter: MARGIN }],
    ['arbiter’s own threshold', { arbiter: { ...EXTERNAL, threshold: 0.7 } }],
    ['proposals', { proposals: basis(EXTERNAL, [proposed(), opposed()]).proposals }],
    ['scores', { alignment: alignment({ assistant: 0.6 }) }],
    ['scoring rule', { alignment: { ...one.alignment, rule: 'ratio' } }],
    ['rule’s version', { alignment: { ...one.alignment, ruleVersion: 2 } }],
    ['threshold', { threshold: 0.8 }],
  ])('tells another %s', (_, over) => {
    expect(sameBasis(one, { ...one, ...over })).toBe(false);
  });
});
