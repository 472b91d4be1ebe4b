export { evaluation } from './evaluations/evaluation.workflow.js';
export { evaluationsModel } from './evaluations/evaluations.read-model.js';
export { EvaluationUnfinished, Evaluations } from './evaluations/evaluations.js';
export { verifyEvaluation } from './evaluations/verify-evaluation.js';
