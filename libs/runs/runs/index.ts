export * from './core.js';
export * as forkRunOperations from './fork-run.operation.js';
export * as recoveryOperations from './recovery.operations.js';
export * as runReadOperations from './run-reads.operations.js';
export {
  AwaitView,
  RunFailure,
  runPageMembers,
  RunUsage,
  type RunView,
  Tokens,
  ToolCallView,
} from './run.views.js';
export * as runOperations from './runs.operations.js';
