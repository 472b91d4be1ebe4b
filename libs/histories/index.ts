export * from './core.js';
export * as evaluationsOperations from './evaluations/evaluations.operations.js';
export type { Evaluation, EvaluationSummary, RecordedEvaluation } from './evaluations/evaluations.views.js';
