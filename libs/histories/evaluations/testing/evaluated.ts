import type { JsonObject } from '#lib/kernel';
import { RunHistory } from '#lib/workflow/testing';
import type { EvaluationInput, Sample } from '../evaluation.input.js';
import { evaluation } from '../evaluation.workflow.js';

export const EVALUATION = '0d9f7a52-7b0c-4c55-9d0e-5a3f8f6f0b02';

/** A sample whose decision is `approve`. */
export function sample(sampleId: string, over: Partial<Sample> = {}): Sample {
  return {
    sampleId,
    sessionId: `session of ${sampleId}`,
    roundId: `round of ${sampleId}`,
    state: 'constructor',
    transitionName: 'approve',
    toState: 'done',
    revision: 3,
    ...over,
  };
}

export function inputOf(samples: readonly Sample[]): EvaluationInput {
  return {
    evaluationId: EVALUATION,
    specialistId: 'new',
    specialistVersion: 2,
    specialistMachine: 'loans',
    machineName: 'other',
    against: 'exemplars',
    samples,
  };
}

/** A started evaluation of these samples. */
export function evaluated(...samples: readonly Sample[]): RunHistory {
  return RunHistory.of(evaluation, {
    input: inputOf(samples) as EvaluationInput & JsonObject,
    runId: EVALUATION,
  });
}

/** The end of a solicitation with this choice. */
export function chose(transitionName: string, over: JsonObject = {}) {
  const result = {
    transitionName,
    toState: 'done',
    reasoning: 'so',
    rung: 'strategy',
    latencyMsec: 0,
    ...over,
  };
  return { status: 'completed', result } as const;
}
