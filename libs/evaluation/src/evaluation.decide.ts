import type { Rejection } from '#lib/kernel';
import type {
  CloseSample,
  EvaluationCommand,
  SolicitSample,
  StartEvaluation,
} from './evaluation.commands.js';
import type { EvaluationCompleted, EvaluationEvent } from './evaluation.events.js';
import { evaluationExists, unknownEvaluation, unknownSample } from './evaluation.rejections.js';
import type { Evaluation, EvaluationState } from './evaluation.state.js';
import { evaluationResult } from './evaluation-result.js';
import { judgeSample } from './judge-sample.js';

export function decideEvaluation(
  command: EvaluationCommand,
  state: EvaluationState,
): readonly EvaluationEvent[] | Rejection {
  if (command.type === 'StartEvaluation') return start(command, state);
  if (state === null) return unknownEvaluation(command.data.evaluationId);
  return command.type === 'SolicitSample' ? solicit(command, state) : close(command, state);
}

function start({ data }: StartEvaluation, state: EvaluationState): readonly EvaluationEvent[] | Rejection {
  if (state !== null) return evaluationExists(data.evaluationId);
  const evaluation = { ...data, solicited: [], judged: [] };
  return [{ type: 'EvaluationStarted', data }, ...completion(evaluation)];
}

/** Each sample is asked about once. */
function solicit(
  { data: { sampleId, solicitationId } }: SolicitSample,
  evaluation: Evaluation,
): readonly EvaluationEvent[] | Rejection {
  if (!evaluation.samples.some((sample) => sample.sampleId === sampleId))
    return unknownSample(evaluation.evaluationId, sampleId);
  if (evaluation.solicited.some((asked) => asked.sampleId === sampleId)) return [];
  return [{ type: 'SampleSolicited', data: { sampleId, solicitationId } }];
}

function close(
  { data: { sampleId, solicitationId, result } }: CloseSample,
  evaluation: Evaluation,
): readonly EvaluationEvent[] | Rejection {
  const sample = evaluation.samples.find((one) => one.sampleId === sampleId);
  const asked = evaluation.solicited.find((one) => one.sampleId === sampleId);
  if (!sample || asked?.solicitationId !== solicitationId)
    return unknownSample(evaluation.evaluationId, sampleId);
  if (evaluation.judged.some((judged) => judged.sampleId === sampleId)) return [];
  const data = judgeSample(sample, solicitationId, result);
  const judged = [...evaluation.judged, data];
  return [{ type: 'SampleJudged', data }, ...completion({ ...evaluation, judged })];
}

function completion({ samples, judged }: Evaluation): readonly EvaluationCompleted[] {
  if (judged.length < samples.length) return [];
  return [{ type: 'EvaluationCompleted', data: evaluationResult(samples, judged) }];
}
