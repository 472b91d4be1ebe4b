import { recordedCalls } from '#lib/calls';
import type { RecordedEvent } from '#lib/kernel';
import { type Failure, foldRun, type Rules, type RunEnd, type WorkflowStarted } from '#lib/workflow';
import type { EvaluationInput, Sample } from './evaluation.input.js';
import { evaluation, type EvaluationState } from './evaluation.workflow.js';
import { type EvaluationResult, evaluationResult } from './evaluation-result.rules.js';
import type { JudgedSample } from './judge-sample.rules.js';

/** An evaluation as people look at it; what came of it once it is complete. Times are ISO 8601, UTC. */
export type EvaluationSummary = Omit<EvaluationInput, 'samples'> & {
  readonly status: 'running' | 'completed' | 'failed';
  readonly startedAt: string;
  readonly completedAt?: string;
  /** Present where an operator gave it up. */
  readonly failure?: Failure;
  /** Like `totalCostUSD`: of the samples that have a result. Absent where none is known. */
  readonly costUSD?: number;
} & Pick<EvaluationResult, 'rounds'> &
  Partial<EvaluationResult>;

/** A past round, and the specialist's answer. */
export type SampleView = Omit<Sample, 'revision'> & {
  /** Present once it is asked. */
  readonly solicitationId?: string;
  /** Present once it has answered. */
  readonly answer?: Omit<JudgedSample, 'sampleId' | 'solicitationId'>;
};

/** With every sample: the round that was decided last comes first. */
export type EvaluationView = EvaluationSummary & { readonly samples: readonly SampleView[] };

/** The evaluation as its stream, from revision 0, has it; `undefined` for an empty one. */
export function evaluationView(events: readonly RecordedEvent[]): EvaluationView | undefined {
  const [start] = events as readonly RecordedEvent<WorkflowStarted>[];
  if (!start) return undefined;
  const rules = evaluation.versions[start.data.version] as Rules<EvaluationState>;
  const { state, steps } = foldRun(rules, recordedCalls, events);
  const { samples, asked: _asked, judged, ...about } = state;
  const { totalCostUSD } = evaluationResult(samples, judged);
  return {
    ...about,
    startedAt: start.occurredAt,
    rounds: samples.length,
    ...endOf(steps.end, events.at(-1)),
    ...(totalCostUSD !== null && { costUSD: totalCostUSD }),
    samples: sampleViews(state),
  };
}

/** The evaluation as the end of its run tells it. */
export function endOf(
  end: RunEnd | undefined,
  last: Pick<RecordedEvent, 'occurredAt'> | undefined,
): Pick<EvaluationSummary, 'status' | 'completedAt' | 'failure'> & Partial<EvaluationResult> {
  if (!end || !last) return { status: 'running' };
  const completedAt = last.occurredAt;
  const { failure = { kind: 'cancelled', message: 'The evaluation was cancelled.' } } = end;
  if (end.status !== 'completed') return { status: 'failed', completedAt, failure };
  return { status: 'completed', completedAt, ...(end.result as object as EvaluationResult) };
}

function sampleViews({ samples, asked, judged }: EvaluationState): readonly SampleView[] {
  const solicitations = new Map(asked.map(({ sampleId, solicitationId }) => [sampleId, solicitationId]));
  const answers = new Map(judged.map(({ sampleId, solicitationId: _, ...answer }) => [sampleId, answer]));
  return samples.map(({ revision: _revision, ...sample }) => {
    const solicitationId = solicitations.get(sample.sampleId);
    const answer = answers.get(sample.sampleId);
    return {
      ...sample,
      ...(solicitationId !== undefined && { solicitationId }),
      ...(answer && { answer }),
    };
  });
}
