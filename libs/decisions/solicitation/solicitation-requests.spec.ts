import { describe, expect, it } from '@jest/globals';
import { jsonText } from '#lib/kernel';
import { givenUpEnd } from '#lib/workflow';
import { resultBefore03, solicitationResult } from './solicitation-requests.js';

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

  it('0.2-O5: says of a run that an operator gave up that it was given up, where releases before 0.3 said internal', () => {
    const message = 'an operator ended the run';
    expect(solicitationResult(givenUpEnd())).toEqual({ failure: { kind: 'given-up', message } });
    expect(resultBefore03(givenUpEnd())).toEqual({ failure: { kind: 'internal', message } });
  });

  it('says internal of a limit of the runtime', () => {
    const failure = { kind: 'run-too-long', message: 'Over 10,000 events.' };
    expect(solicitationResult({ status: 'failed', failure })).toEqual({
      failure: { ...failure, kind: 'internal' },
    });
  });
});
