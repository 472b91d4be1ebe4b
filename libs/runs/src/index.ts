export { type AwaitView, type RunStatus, type RunView, runView } from './run-view.js';
export { listRuns, type RunFilter, runIndex, runsProjection, type RunSummary } from './runs.read-model.js';
export { type RunCall, Runs, type RunsParts, type StartRunInput } from './runs.js';
