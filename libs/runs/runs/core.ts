export { WithdrawingOwner, type WithdrawnRuns } from './withdrawing-owner.js';
export { budgetActivity } from './facts/budget.activity.js';
export { ModelMemory, ModelRoutes } from './facts/model-routes.js';
export { RecoveryDesk, type RecoverySource, runRecovery } from './recovery.js';
export { type ReplayedLog, ReadAhead } from './replay/read-ahead.js';
export { PeopleGate } from './people-gate.js';
export { readableHistory, type ReadableHistory, verifiedErased } from './replay/readable-history.js';
export {
  type ReplayReport,
  type ReplayTotals,
  replayTotals,
  type Verification,
} from './replay/replay-report.js';
export { commandsOf, verifyDecisions } from './replay/verify-decisions.js';
export { verifyRunTree, verifyChildren } from './replay/verify-run-tree.js';
export { type RunDelta, RunDeltas } from './run-deltas.js';
export { runToolCalls } from './run-tool-calls.js';
export { type AwaitRow, awaitOfRow, awaitRows, countOpenRuns, runIndex } from './runs.queries.js';
export { isOfFork, runsDataset } from './runs.dataset.js';
export { runs } from './runs.tables.js';
export { runsModel } from './runs.read-model.js';
export { callMetadata } from './call-metadata.js';
export { RunForks } from './run-forks.js';
export { type RunLogEvent, Runs } from './runs.js';
export { runView } from './run-view.js';
export { signalOf } from './signal-of.js';
export { type AskedRuns, StreamOwner } from './stream-owner.js';
export { isOutage, Unfinished } from './unfinished.js';
