import { describe, expect, it } from '@jest/globals';
import { fold } from '#lib/kernel';
import { specify } from '#lib/kernel/testing';
import type {
  CloseSample,
  EvaluationCommand,
  SolicitSample,
  StartEvaluation,
} from './evaluation.commands.js';
import { evaluationDecider } from './evaluation.decider.js';
import type {
  EvaluationCompleted,
  EvaluationEvent,
  EvaluationStarted,
  SampleJudged,
  SampleSolicited,
} from './evaluation.events.js';
import type { Sample } from './evaluation.state.js';
import type { EvaluationResult } from './evaluation-result.js';

const evaluationId = 'evaluation';

const sample = (sampleId: string, over: Partial<Sample> = {}): Sample => ({
  sampleId,
  sessionId: `session of ${sampleId}`,
  roundId: `round of ${sampleId}`,
  state: 'constructor',
  transitionName: 'approve',
  toState: 'done',
  ...over,
});
const started = (...samples: readonly Sample[]): EvaluationStarted => ({
  type: 'EvaluationStarted',
  data: {
    evaluationId,
    specialistId: 'new',
    specialistVersion: 1,
    specialistMachine: 'loans',
    machineName: 'loans',
    against: 'exemplars',
    samples,
  },
});
const start = (...samples: readonly Sample[]): StartEvaluation => ({
  type: 'StartEvaluation',
  data: started(...samples).data,
});
const solicited = (sampleId: string, solicitationId = `about ${sampleId}`): SampleSolicited => ({
  type: 'SampleSolicited',
  data: { sampleId, solicitationId },
});
const solicit = (sampleId: string, solicitationId = `about ${sampleId}`): SolicitSample => ({
  type: 'SolicitSample',
  data: { evaluationId, sampleId, solicitationId },
});
const close = (
  sampleId: string,
  result: CloseSample['data']['result'],
  solicitationId = `about ${sampleId}`,
): CloseSample => ({ type: 'CloseSample', data: { evaluationId, sampleId, solicitationId, result } });
const judged = (sampleId: string, over: Partial<SampleJudged['data']> = {}): SampleJudged => ({
  type: 'SampleJudged',
  data: {
    sampleId,
    solicitationId: `about ${sampleId}`,
    transitionName: 'approve',
    toState: 'done',
    matches: true,
    ...over,
  },
});
const completed = (over: Partial<EvaluationResult>): EvaluationCompleted => ({
  type: 'EvaluationCompleted',
  data: {
    rounds: 1,
    matchingChoices: 0,
    transitionRate: 0,
    stateRate: 0,
    alignmentScore: 0,
    totalCostUSD: null,
    meanLatencyMsec: null,
    numInputTokens: null,
    numOutputTokens: null,
    failures: 0,
    ...over,
  },
});
const approved = { choice: { transitionName: 'approve', toState: 'done', reasoning: 'so' } };

const { given } = specify(evaluationDecider);

describe('starting an evaluation', () => {
  it('fixes its samples', () => {
    given([])
      .when(start(sample('a'), sample('b')))
      .then([started(sample('a'), sample('b'))]);
  });

  it('is complete at once without samples, and says nothing about shares then', () => {
    given([])
      .when(start())
      .then([started(), completed({ rounds: 0, transitionRate: null, stateRate: null })]);
  });

  it('is refused where it is started already: its samples are fixed', () => {
    given([started(sample('a'))])
      .when(start(sample('b')))
      .thenRejected({ rejected: 'conflict', code: 'evaluation-exists' });
  });
});

describe('asking about a sample', () => {
  it('happens once', () => {
    given([started(sample('a'))])
      .when(solicit('a'))
      .then([solicited('a')]);
    given([started(sample('a')), solicited('a')])
      .when(solicit('a', 'another'))
      .thenNothing();
  });

  it('is refused for what is no sample, and before the start', () => {
    given([started(sample('a'))])
      .when(solicit('constructor'))
      .thenRejected({ rejected: 'unknown', code: 'unknown-sample' });
    given([]).when(solicit('a')).thenRejected({ rejected: 'unknown', code: 'unknown-evaluation' });
  });
});

describe('the answer about a sample', () => {
  const history = [started(sample('a'), sample('b')), solicited('a'), solicited('b')];

  it('is judged by the transition that was decided, with what it cost', () => {
    const spent = { costUSD: 0.5, latencyMsec: 0, numInputTokens: 3, numOutputTokens: 1 };
    given(history)
      .when(close('a', { choice: { ...approved.choice, metaJson: { big: 'thing' }, ...spent } }))
      .then([judged('a', spent)]);
    given(history)
      .when(close('a', { choice: { ...approved.choice, transitionName: 'sign' } }))
      .then([judged('a', { transitionName: 'sign', matches: false })]);
  });

  it('is no agreement where the specialist gave none', () => {
    const failure = { kind: 'http-error', message: 'down', upstreamStatus: 500 } as const;
    given(history)
      .when(close('a', { failure }))
      .then([
        {
          type: 'SampleJudged',
          data: { sampleId: 'a', solicitationId: 'about a', failure, matches: false },
        },
      ]);
  });

  it('is taken once', () => {
    given([...history, judged('a')])
      .when(close('a', { choice: { ...approved.choice, toState: 'other' } }))
      .thenNothing();
  });

  it('is refused where nobody was asked, or by another solicitation', () => {
    const refused = { rejected: 'unknown', code: 'unknown-sample' } as const;
    given([started(sample('a'))])
      .when(close('a', approved))
      .thenRejected(refused);
    given(history)
      .when(close('a', approved, 'about b'))
      .thenRejected(refused);
    given(history).when(close('c', approved)).thenRejected(refused);
    given([]).when(close('a', approved)).thenRejected({ code: 'unknown-evaluation' });
  });

  it('completes the evaluation where it is the last one', () => {
    const failure = { kind: 'timeout', message: 'late' } as const;
    const failed = { sampleId: 'c', solicitationId: 'about c', failure, matches: false };
    given([
      started(sample('a'), sample('b'), sample('c'), sample('d', { toState: 'elsewhere' })),
      ...['a', 'b', 'c', 'd'].map((one) => solicited(one)),
      judged('b', { transitionName: 'sign', matches: false, costUSD: 0.25, latencyMsec: 10 }),
      { type: 'SampleJudged', data: failed },
      judged('d', { costUSD: 0.5, numInputTokens: 3 }),
    ])
      .when(close('a', { choice: { ...approved.choice, latencyMsec: 30, numInputTokens: 4 } }))
      .then([
        judged('a', { latencyMsec: 30, numInputTokens: 4 }),
        completed({
          rounds: 4,
          matchingChoices: 2,
          transitionRate: 0.5,
          stateRate: 0.5,
          alignmentScore: 0.15003570882017148,
          totalCostUSD: 0.75,
          meanLatencyMsec: 20,
          numInputTokens: 7,
          failures: 1,
        }),
      ]);
  });
});

it('makes nothing of events that cannot be', () => {
  const state = fold(evaluationDecider, [started(sample('a'))]);
  expect(fold(evaluationDecider, [judged('a')])).toBeNull();
  expect(fold(evaluationDecider, [started(sample('b'))], state)).toBe(state);
  const future = { type: 'FromTheFuture', data: {} };
  expect(fold(evaluationDecider, [future as object as EvaluationEvent], state)).toBe(state);
});

it.each<EvaluationCommand>([start(sample('a')), solicit('a'), close('a', approved)])(
  'gives a recorded command back: $type',
  (command) => {
    const kept: unknown = JSON.parse(JSON.stringify(evaluationDecider.record(command, [])));
    expect(evaluationDecider.rebuild(kept, [])).toEqual(command);
  },
);
