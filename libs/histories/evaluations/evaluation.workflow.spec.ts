import { describe, expect, it } from '@jest/globals';
import type { RunHistory } from '#lib/workflow/testing';
import { chose, EVALUATION, evaluated, sample } from './testing/evaluated.js';

const failure = { kind: 'http-error', message: 'down' };
const asked = ({ recorded }: RunHistory) =>
  recorded
    .filter(({ type }) => type === 'ChildStarted')
    .map(({ data }) => data as { readonly stepId: string });
const open = (run: RunHistory) => [...run.open.keys()];

describe('an evaluation', () => {
  it('asks about a round by a solicitation with the context of the round, and names the evaluation in place of a session', () => {
    expect(asked(evaluated(sample('a')))).toEqual([
      {
        stepId: 'a',
        runId: expect.any(String),
        workflow: 'solicitation',
        input: {
          sessionId: EVALUATION,
          roundId: 'round of a',
          specialistId: 'new',
          specialistVersion: 2,
          machineName: 'other',
          specialistMachine: 'loans',
        },
        context: { stream: 'session-session of a', revision: 3 },
      },
    ]);
  });

  it('asks about four rounds at a time, in their order', () => {
    const run = evaluated(...['a', 'b', 'c', 'd', 'e', 'f'].map((id) => sample(id)));
    expect(open(run)).toEqual(['a', 'b', 'c', 'd']);
    run.endChild('c', chose('approve'));
    expect(open(run)).toEqual(['a', 'b', 'd', 'e']);
    run.endChild('a', { status: 'failed', failure }).endChild('b', chose('approve'));
    expect(open(run)).toEqual(['d', 'e', 'f']);
    expect(asked(run).map(({ stepId }) => stepId)).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
  });

  it('ends once every round is scored: a failure is a round without agreement', () => {
    const run = evaluated(sample('a'), sample('b'), sample('c'), sample('d', { toState: 'elsewhere' }));
    run.endChild('b', chose('sign', { costUSD: 0.25, latencyMsec: 10 }));
    run.endChild('c', { status: 'failed', failure, result: { upstreamStatus: 500, costUSD: 1 } });
    run.endChild('d', chose('approve', { costUSD: 0.5, numInputTokens: 3, latencyMsec: 5 }));
    expect(run.end).toBeUndefined();
    run.endChild('a', chose('approve', { latencyMsec: 30, numInputTokens: 4, metaJson: { big: 'thing' } }));
    expect(run.end).toEqual({
      status: 'completed',
      result: {
        rounds: 4,
        matchingChoices: 2,
        transitionRate: 0.5,
        stateRate: 0.5,
        alignmentScore: 0.15003570882017148,
        totalCostUSD: 1.75,
        meanLatencyMsec: 15,
        numInputTokens: 7,
        numOutputTokens: null,
        failures: 1,
      },
    });
  });

  it('ends at once without rounds, and says nothing about shares then', () => {
    expect(evaluated().end).toMatchObject({
      status: 'completed',
      result: { rounds: 0, transitionRate: null, stateRate: null, alignmentScore: 0 },
    });
  });
});
