export * from './core.js';
export { Evaluations, EvaluationUnfinished } from './evaluations.js';
export * as evaluationsOperations from './evaluations.operations.js';
export type { Evaluation, EvaluationSummary, RecordedEvaluation } from './evaluations.views.js';
