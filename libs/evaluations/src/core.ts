export type { EvaluationResult } from './evaluation-result.rules.js';
export { evaluationView, type EvaluationView, type SampleView } from './evaluation-view.js';
export type { Against, EvaluationInput, Sample } from './evaluation.input.js';
export { cannotBeAsked, unknownEvaluation } from './evaluation.rejections.js';
export { evaluation } from './evaluation.workflow.js';
export { evaluationsProjection } from './evaluations.read-model.js';
export { type EvaluationReplayReport, verifyEvaluation } from './verify-evaluation.js';
