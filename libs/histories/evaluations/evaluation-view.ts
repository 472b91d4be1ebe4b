import { recordedCalls } from '#lib/call-rules';
import type { EventLog } from '#lib/event-store';
import { derivedId, type RecordedEvent } from '#lib/kernel';
import {
  foldRun,
  type Rules,
  type RunEnd,
  scriptOf,
  type ScriptState,
  type WorkflowStarted,
} from '#lib/workflow';
import type { Experiment } from '../experiments/experiment.decider.js';
import type { ExperimentEvent, ExperimentPoint } from '../experiments/experiment.events.js';
import { batchOf, experimentIn } from '../experiments/experiment-view.js';
import type { Evaluating } from './evaluation.script.js';
import { evaluation } from './evaluation.workflow.js';
import { type EvaluationResult, evaluationResult } from './evaluation-result.rules.js';
import type { Evaluation } from './evaluations.views.js';
import { type ScoredSample, scoreSample } from './score-sample.rules.js';

type Sample = Omit<Evaluation['samples'][number], 'answer'>;

/** An evaluation of a release before 0.3, folded from the stream of its run; `undefined` for an empty one. */
export function evaluationView(events: readonly RecordedEvent[]): Evaluation | undefined {
  const [start] = events as readonly RecordedEvent<WorkflowStarted>[];
  if (!start) return undefined;
  const rules = evaluation.versions[start.data.version] as Rules<ScriptState<Evaluating>>;
  const { state, steps } = foldRun(rules, recordedCalls, events);
  const { input, asked, scored } = scriptOf(state);
  const { samples: given, ...about } = input;
  const samples = given.map(({ revision: _revision, ...sample }) => {
    const solicitationId = asked.get(sample.sampleId);
    return { ...sample, ...(solicitationId !== undefined && { solicitationId }) };
  });
  const { occurredAt: startedAt } = start;
  return {
    ...about,
    startedAt,
    ...endOf(steps.end, events.at(-1)?.occurredAt),
    ...answered(samples, scored),
  };
}

/** An evaluation that is an experiment; `undefined` if no experiment has this id. */
export async function evaluationOfExperiment(
  log: EventLog,
  evaluationId: string,
): Promise<Evaluation | undefined> {
  const known = experimentIn(await log.load<ExperimentEvent>(log.streams.of('experiment', evaluationId)));
  if (!known) return undefined;
  const { started, batches } = known.experiment;
  const { points, machineName, evaluation: asked, variants } = started;
  const [variant] = variants;
  if (!asked || !variant) return undefined;
  const { specialistId, specialistVersion, specialistMachine } = variant;
  const samples: Sample[] = points.map((point) => sampleOf(evaluationId, point));
  const scored: ScoredSample[] = [];
  for (const { batchId } of batches) {
    const batch = await batchOf(log, batchId);
    for (const [ask, solicitationId] of batch?.asked ?? [])
      samples[Number(ask)] = { ...(samples[Number(ask)] as Sample), solicitationId };
    for (const { ask, runId, result } of batch?.answers.values() ?? [])
      scored.push(scoreSample(samples[Number(ask.id)] as Sample, runId, result));
  }
  return {
    evaluationId,
    specialistId,
    specialistVersion,
    specialistMachine,
    machineName,
    ...asked,
    startedAt: known.startedAt,
    ...endOf(runEndOf(known.experiment, evaluationResult(samples, scored)), known.endedAt),
    ...answered(samples, scored),
  };
}

function sampleOf(evaluationId: string, point: ExperimentPoint): Sample {
  const { sessionId, roundId, state, transitionName, toState } = point;
  const sampleId = derivedId(evaluationId, `${sessionId}/${roundId}`);
  return { sampleId, sessionId, roundId, state, transitionName, toState };
}

/** The end of an experiment as the end of a run. An evaluation has no limits, so it is never `stopped`. */
function runEndOf({ status, failure }: Experiment, result: EvaluationResult): RunEnd | undefined {
  if (status === 'running') return undefined;
  if (status === 'completed') return { status, result: { ...result } };
  return failure ? { status: 'failed', failure } : { status: 'cancelled' };
}

/** The evaluation after the end of its run. */
export function endOf(
  end: RunEnd | undefined,
  completedAt: string | undefined,
): Pick<Evaluation, 'status' | 'completedAt' | 'failure'> & Partial<EvaluationResult> {
  if (!end || completedAt === undefined) return { status: 'running' };
  const { failure = { kind: 'cancelled', message: 'The evaluation was cancelled.' } } = end;
  if (end.status !== 'completed') return { status: 'failed', completedAt, failure };
  return { status: 'completed', completedAt, ...(end.result as object as EvaluationResult) };
}

function answered(
  samples: readonly Sample[],
  scored: readonly ScoredSample[],
): Pick<Evaluation, 'rounds' | 'costUSD' | 'samples'> {
  const answers = new Map(scored.map(({ sampleId, solicitationId: _, ...answer }) => [sampleId, answer]));
  const { totalCostUSD } = evaluationResult(samples, scored);
  return {
    rounds: samples.length,
    ...(totalCostUSD !== null && { costUSD: totalCostUSD }),
    samples: samples.map((sample) => {
      const answer = answers.get(sample.sampleId);
      return { ...sample, ...(answer && { answer }) };
    }),
  };
}
