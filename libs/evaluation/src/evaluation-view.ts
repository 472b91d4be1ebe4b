import { fold, type RecordedEvent } from '#lib/kernel';
import { evaluationDecider } from './evaluation.decider.js';
import type { EvaluationEvent, EvaluationStarted, SampleJudged } from './evaluation.events.js';
import type { Evaluation, Sample } from './evaluation.state.js';
import { type EvaluationResult, evaluationResult } from './evaluation-result.js';

/** An evaluation as people look at it; what came of it once it is complete. Times are ISO 8601, UTC. */
export type EvaluationSummary = Omit<EvaluationStarted['data'], 'samples'> & {
  readonly status: 'running' | 'completed';
  readonly startedAt: string;
  readonly completedAt?: string;
  /** Like `totalCostUSD`: of the samples that have a result. Absent where none is known. */
  readonly costUSD?: number;
} & Pick<EvaluationResult, 'rounds'> &
  Partial<EvaluationResult>;

/** A past round, and the specialist's answer. */
export type SampleView = Sample & {
  /** Present once it is asked. */
  readonly solicitationId?: string;
  /** Present once it has answered. */
  readonly answer?: Omit<SampleJudged['data'], 'sampleId' | 'solicitationId'>;
};

/** With every sample: the round that was decided last comes first. */
export type EvaluationView = EvaluationSummary & { readonly samples: readonly SampleView[] };

/** The evaluation as its stream, from revision 0, has it; `undefined` for an empty one. */
export function evaluationView(
  events: readonly RecordedEvent<EvaluationEvent>[],
): EvaluationView | undefined {
  const evaluation = fold(evaluationDecider, events);
  const [started] = events;
  if (!evaluation || !started) return undefined;
  const { samples, solicited: _solicited, judged: _judged, result, ...about } = evaluation;
  const { totalCostUSD } = evaluationResult(samples, evaluation.judged);
  const completed = events.find(({ type }) => type === 'EvaluationCompleted');
  return {
    ...about,
    status: completed ? 'completed' : 'running',
    startedAt: started.occurredAt,
    ...(completed && { completedAt: completed.occurredAt }),
    rounds: samples.length,
    ...result,
    ...(totalCostUSD !== null && { costUSD: totalCostUSD }),
    samples: sampleViews(evaluation),
  };
}

function sampleViews({ samples, solicited, judged }: Evaluation): readonly SampleView[] {
  const asked = new Map(solicited.map(({ sampleId, solicitationId }) => [sampleId, solicitationId]));
  const answers = new Map(judged.map(({ sampleId, solicitationId: _, ...answer }) => [sampleId, answer]));
  return samples.map((sample) => {
    const solicitationId = asked.get(sample.sampleId);
    const answer = answers.get(sample.sampleId);
    return {
      ...sample,
      ...(solicitationId !== undefined && { solicitationId }),
      ...(answer && { answer }),
    };
  });
}
