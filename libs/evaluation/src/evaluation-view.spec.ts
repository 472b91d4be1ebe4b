import { describe, expect, it } from '@jest/globals';
import type { RecordedEvent } from '#lib/kernel';
import type { EvaluationEvent } from './evaluation.events.js';
import { evaluationView } from './evaluation-view.js';

const round = { sessionId: 's', state: 'asked', transitionName: 'approve', toState: 'closed' };
const a = { sampleId: 'a', roundId: 'r1', ...round };
const b = { sampleId: 'b', roundId: 'r2', ...round };
const of = {
  evaluationId: 'e',
  specialistId: 'new',
  specialistVersion: 1,
  specialistMachine: 'loans',
  machineName: 'loans',
  against: 'decisions',
} as const;
const answer = { transitionName: 'reject', toState: 'closed', matches: false, costUSD: 1 };
const result = {
  rounds: 2,
  matchingChoices: 0,
  transitionRate: 0,
  stateRate: 1,
  alignmentScore: 0,
  totalCostUSD: 2,
  meanLatencyMsec: null,
  numInputTokens: null,
  numOutputTokens: null,
  failures: 0,
};

const history: readonly EvaluationEvent[] = [
  { type: 'EvaluationStarted', data: { ...of, samples: [a, b] } },
  { type: 'SampleSolicited', data: { sampleId: 'b', solicitationId: 'about b' } },
  { type: 'SampleSolicited', data: { sampleId: 'a', solicitationId: 'about a' } },
  { type: 'SampleJudged', data: { sampleId: 'a', solicitationId: 'about a', ...answer } },
  { type: 'SampleJudged', data: { sampleId: 'b', solicitationId: 'about b', ...answer } },
  { type: 'EvaluationCompleted', data: result },
];

function recorded(count: number) {
  return history.slice(0, count).map((event, revision): RecordedEvent<EvaluationEvent> => {
    const occurredAt = `2026-01-01T00:00:0${revision}.000Z`;
    const metadata = {
      schemaVersion: 1,
      occurredAt,
      correlationId: 'e',
      causationId: 'c',
      commandId: 'c',
      actor: 'x',
    };
    return {
      ...event,
      metadata,
      occurredAt,
      revision,
      schemaVersion: 1,
      eventId: `${revision}`,
      stream: 'redial_evaluation-e',
      position: `log.${revision}`,
    };
  });
}

describe('evaluationView', () => {
  it('X-D7: shows what was asked, answered and worked out, and what it cost', () => {
    expect(evaluationView(recorded(6))).toEqual({
      ...of,
      status: 'completed',
      startedAt: '2026-01-01T00:00:00.000Z',
      completedAt: '2026-01-01T00:00:05.000Z',
      ...result,
      costUSD: 2,
      samples: [
        { ...a, solicitationId: 'about a', answer },
        { ...b, solicitationId: 'about b', answer },
      ],
    });
  });

  it('shows no result before every sample is judged', () => {
    expect(evaluationView(recorded(4))).toEqual({
      ...of,
      status: 'running',
      startedAt: '2026-01-01T00:00:00.000Z',
      rounds: 2,
      costUSD: 1,
      samples: [
        { ...a, solicitationId: 'about a', answer },
        { ...b, solicitationId: 'about b' },
      ],
    });
  });

  it('shows nothing where there is none', () => {
    expect(evaluationView([])).toBeUndefined();
  });
});
