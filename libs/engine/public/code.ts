/**
 * Code as action, as a workflow and as a function: a model works by writing programs.
 * @packageDocumentation
 * @experimental Names and shapes may change in any minor release before 1.0.
 */
export {
  type Citation,
  type CitationAt,
  Citations,
  type Source,
  type CodeHooks,
  type Hook,
  type Component,
  type Element,
  type CodeInput,
  type CodeLimits,
  type Exit,
  type Said,
  code,
  CodeResult,
  type ExecutedIteration,
  ThinkSignal,
  type CodeExecution,
  type CodeTool,
  executeCode,
  getTypings,
  InvalidCodeExecution,
} from '#lib/code/core';
export { codeOperations, transcriptOperations } from '#lib/code';
