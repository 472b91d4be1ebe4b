import { describe, expect, it } from '@jest/globals';
import { jsonText } from '#lib/kernel';
import { solicitationResult } from './solicitation-requests.js';

describe('the result of a solicitation for its session', () => {
  it('has the members of a choice in the order of the event that holds them, and no problems of arguments', () => {
    const said = { metaJson: { amount: 1 }, argumentErrorCount: 1, argumentsText: '{}' };
    const cost = { latencyMsec: 3, costUSD: 0.5, numInputTokens: 2, numOutputTokens: 1 };
    const result = {
      transitionName: 'pay',
      toState: 'closed',
      reasoning: 'due',
      rung: 'tools',
      ...cost,
      ...said,
    };
    expect(jsonText(solicitationResult({ status: 'completed', result }))).toBe(
      jsonText({
        choice: {
          transitionName: 'pay',
          toState: 'closed',
          reasoning: 'due',
          metaJson: { amount: 1 },
          costUSD: 0.5,
          latencyMsec: 3,
          numInputTokens: 2,
          numOutputTokens: 1,
        },
      }),
    );
  });
});
