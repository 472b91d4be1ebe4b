export * from './core.js';
export * as eventOperations from './events/list-events.operation.js';
export * as contentExportOperations from './exports/export-content.operation.js';
export * as exportOperations from './exports/export-dataset.operation.js';
export * as historiesOperations from './file/histories.operations.js';
export * as forkHistoryOperations from './forks/fork-history.operation.js';
export * as evaluationsOperations from './evaluations/evaluations.operations.js';
export * as experimentsOperations from './experiments/experiments.operations.js';
export * as triesOperations from './tries/try-call.operation.js';
export * as simulationOperations from './simulation/simulation.operations.js';
export * as whyOperations from './why/why.operations.js';
export type { ExperimentBatchEnded } from './experiments/experiment.events.js';
export type { Experiment, ExperimentEstimate } from './experiments/experiments.views.js';
export type { Evaluation, EvaluationSummary, RecordedEvaluation } from './evaluations/evaluations.views.js';
export {
  EventNotice,
  type EventTypes,
  eventTypesOf,
  isOneOf,
  noticeOf,
  type ShownEvent,
  shownEvent,
} from './events/shown-event.js';
export * as proofsOperations from './file/proofs.operations.js';
