/**
 * Code as action, as a workflow and as a function: a model works by writing programs.
 * @packageDocumentation
 * @experimental Names and shapes may change in any minor release before 1.0.
 */

export * from './core.js';
export * as codeOperations from './iterations.operations.js';
export * as transcriptOperations from './transcript.operations.js';
export { CodeResult, type ExecutedIteration } from './code-result.js';
export { ThinkSignal } from './think-signal.js';
export { type CodeExecution, type CodeTool, executeCode, InvalidCodeExecution } from './execute-code.js';
