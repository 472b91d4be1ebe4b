export type { Against, EvaluationInput, Sample } from './evaluation.input.js';
export { cannotBeAsked, unknownEvaluation } from './evaluation.rejections.js';
export { evaluation } from './evaluation.workflow.js';
export type { EvaluationResult } from './evaluation-result.rules.js';
export {
  type EvaluationSummary,
  type EvaluationView,
  evaluationView,
  type SampleView,
} from './evaluation-view.js';
export { evaluationsProjection, listEvaluations } from './evaluations.read-model.js';
export { type EvaluationReplayReport, verifyEvaluation } from './verify-evaluation.js';
