export { RecoveryDesk, type RecoverySource, runRecovery } from './recovery.js';
export * as recoveryOperations from './recovery.operations.js';
export { type RunDelta, RunDeltas } from './run-deltas.js';
export type { AwaitView, RunReplayReport, RunStatus, RunSummary, RunView } from './run.views.js';
export * as runOperations from './runs.operations.js';
export * as runReadOperations from './run-reads.operations.js';
export { runIndex } from './runs.queries.js';
export { runsProjection } from './runs.read-model.js';
export { Runs, type RunsParts } from './runs.js';
