export { evaluation } from './evaluation.workflow.js';
export { evaluationsProjection } from './evaluations.read-model.js';
export { verifyEvaluation } from './verify-evaluation.js';
