import { describe, expect, it } from '@jest/globals';
import { evaluationView } from './evaluation-view.js';
import { chose, evaluated, inputOf, sample } from './testing/evaluated.js';

const { samples: _, ...about } = inputOf([]);
const shown = (id: string) => {
  const { revision: _revision, ...rest } = sample(id);
  return { ...rest, solicitationId: expect.any(String) };
};
const answer = { transitionName: 'reject', toState: 'done', matches: false, costUSD: 1, latencyMsec: 0 };
const rejected = chose('reject', { costUSD: 1 });

describe('evaluationView', () => {
  it('X-D7: shows what was asked, answered and worked out, and what it cost', () => {
    const { events } = evaluated(sample('a'), sample('b')).endChild('b', rejected).endChild('a', rejected);
    expect(evaluationView(events)).toEqual({
      ...about,
      status: 'completed',
      startedAt: '2026-01-02T03:04:05.000Z',
      completedAt: '2026-01-02T03:04:05.000Z',
      rounds: 2,
      matchingChoices: 0,
      transitionRate: 0,
      stateRate: 1,
      alignmentScore: 0,
      totalCostUSD: 2,
      meanLatencyMsec: 0,
      numInputTokens: null,
      numOutputTokens: null,
      failures: 0,
      costUSD: 2,
      samples: [
        { ...shown('a'), answer },
        { ...shown('b'), answer },
      ],
    });
  });

  it('shows no result before every sample is scored', () => {
    const { events } = evaluated(sample('a'), sample('b')).endChild('a', rejected);
    expect(evaluationView(events)).toEqual({
      ...about,
      status: 'running',
      startedAt: '2026-01-02T03:04:05.000Z',
      rounds: 2,
      costUSD: 1,
      samples: [{ ...shown('a'), answer }, shown('b')],
    });
  });

  it('shows that an operator gave it up, and what was answered before', () => {
    const { events } = evaluated(sample('a'), sample('b')).endChild('a', rejected);
    const last = events.at(-1);
    const givenUp = { ...last, type: 'WorkflowGivenUp', data: { reason: 'given up by an operator' } };
    expect(evaluationView([...events, givenUp as (typeof events)[number]])).toMatchObject({
      status: 'failed',
      failure: { kind: 'given-up', message: 'given up by an operator' },
      costUSD: 1,
      samples: [{ answer }, {}],
    });
  });

  it('shows nothing when there is none', () => {
    expect(evaluationView([])).toBeUndefined();
  });
});
