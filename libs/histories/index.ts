export * from './core.js';
export * as historiesOperations from './file/histories.operations.js';
export * as evaluationsOperations from './evaluations/evaluations.operations.js';
export * as whyOperations from './why/why.operations.js';
export type { Evaluation, EvaluationSummary, RecordedEvaluation } from './evaluations/evaluations.views.js';
