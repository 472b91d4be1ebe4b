export * from './core.js';
export { EvaluationUnfinished } from './evaluation-unfinished.js';
export { Evaluations } from './evaluations.js';
export * as evaluationsOperations from './evaluations.operations.js';
export type { Evaluation, EvaluationSummary, RecordedEvaluation } from './evaluations.views.js';
