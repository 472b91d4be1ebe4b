import { choice, flag, list, number, object, ref, text, time, uuid, whole } from './schema.js';

const share = { type: 'number', minimum: 0, maximum: 1 };
const shareOrNull = { ...share, type: ['number', 'null'] };
const numberOrNull = { type: ['number', 'null'] };

const summary = {
  evaluationId: uuid,
  specialistId: text,
  specialistVersion: whole,
  specialistMachine: text,
  machineName: text,
  against: choice('exemplars', 'decisions'),
  status: choice('running', 'completed'),
  startedAt: time,
  'completedAt?': time,
  rounds: whole,
  'matchingChoices?': whole,
  'transitionRate?': shareOrNull,
  'stateRate?': shareOrNull,
  'alignmentScore?': share,
  'totalCostUSD?': numberOrNull,
  'costUSD?': number,
  'meanLatencyMsec?': numberOrNull,
  'numInputTokens?': numberOrNull,
  'numOutputTokens?': numberOrNull,
  'failures?': whole,
};

const answer = object({
  'transitionName?': text,
  'toState?': text,
  'failure?': object({ kind: text, message: text, 'upstreamStatus?': whole }),
  matches: flag,
  'costUSD?': number,
  'latencyMsec?': number,
  'numInputTokens?': number,
  'numOutputTokens?': number,
});

const sample = object({
  sampleId: uuid,
  sessionId: uuid,
  roundId: text,
  state: text,
  transitionName: text,
  toState: text,
  'solicitationId?': uuid,
  'answer?': answer,
});

export const evaluationSchemas = {
  EvaluationSummary: { ...object(summary), description: 'What came of it is there once it is completed' },
  Evaluation: object({ ...summary, samples: list(sample) }),
  RecordedEvaluation: object({
    specialistId: text,
    machineName: text,
    against: choice('record'),
    rounds: whole,
    matchingChoices: whole,
    transitionRate: shareOrNull,
    stateRate: shareOrNull,
    alignmentScore: share,
    totalCostUSD: numberOrNull,
    meanLatencyMsec: numberOrNull,
  }),
  EvaluationAnswer: { anyOf: [ref('Evaluation'), ref('RecordedEvaluation')] },
  EvaluationReplayReport: object({
    evaluationId: uuid,
    identical: flag,
    streamsChecked: whole,
    eventsChecked: whole,
    eventsTaken: whole,
    open: whole,
    divergences: list(ref('Divergence')),
  }),
};
