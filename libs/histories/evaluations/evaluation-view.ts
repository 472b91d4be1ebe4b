import { recordedCalls } from '#lib/call-rules';
import type { RecordedEvent } from '#lib/kernel';
import {
  foldRun,
  type Rules,
  type RunEnd,
  scriptOf,
  type ScriptState,
  type WorkflowStarted,
} from '#lib/workflow';
import type { Evaluating } from './evaluation.script.js';
import { evaluation } from './evaluation.workflow.js';
import { type EvaluationResult, evaluationResult } from './evaluation-result.rules.js';
import type { Evaluation } from './evaluations.views.js';

/** The evaluation, folded from its stream; `undefined` for an empty one. */
export function evaluationView(events: readonly RecordedEvent[]): Evaluation | undefined {
  const [start] = events as readonly RecordedEvent<WorkflowStarted>[];
  if (!start) return undefined;
  const rules = evaluation.versions[start.data.version] as Rules<ScriptState<Evaluating>>;
  const { state, steps } = foldRun(rules, recordedCalls, events);
  const script = scriptOf(state);
  const { samples, ...about } = script.input;
  const { totalCostUSD } = evaluationResult(samples, script.scored);
  return {
    ...about,
    startedAt: start.occurredAt,
    rounds: samples.length,
    ...endOf(steps.end, events.at(-1)),
    ...(totalCostUSD !== null && { costUSD: totalCostUSD }),
    samples: sampleViews(script),
  };
}

/** The evaluation at the end of its run. */
export function endOf(
  end: RunEnd | undefined,
  last: Pick<RecordedEvent, 'occurredAt'> | undefined,
): Pick<Evaluation, 'status' | 'completedAt' | 'failure'> & Partial<EvaluationResult> {
  if (!end || !last) return { status: 'running' };
  const completedAt = last.occurredAt;
  const { failure = { kind: 'cancelled', message: 'The evaluation was cancelled.' } } = end;
  if (end.status !== 'completed') return { status: 'failed', completedAt, failure };
  return { status: 'completed', completedAt, ...(end.result as object as EvaluationResult) };
}

function sampleViews({ input: { samples }, asked, scored }: Evaluating): Evaluation['samples'] {
  const answers = new Map(scored.map(({ sampleId, solicitationId: _, ...answer }) => [sampleId, answer]));
  return samples.map(({ revision: _revision, ...sample }) => {
    const solicitationId = asked.get(sample.sampleId);
    const answer = answers.get(sample.sampleId);
    return {
      ...sample,
      ...(solicitationId !== undefined && { solicitationId }),
      ...(answer && { answer }),
    };
  });
}
