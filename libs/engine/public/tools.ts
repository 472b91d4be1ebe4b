/**
 * Tools: their versions, and the rules of one call.
 * @packageDocumentation
 * @experimental Names and shapes may change in any minor release before 1.0.
 */
export {
  type ToolBody,
  type ToolEvent,
  toolEventDefinitions,
  type ToolPolicy,
  type CallAt,
  callAt,
  type RulesAt,
  changedArguments,
  resultText,
  shownResult,
  beginToolCall,
  resultOf,
  type ToolCallAsked,
  type ToolCallState,
  type ToolFact,
  toolDecider,
  instancesIn,
  ToolFacts,
} from '#lib/runs/tools/core';
export {
  type DeclaredTool,
  RedialTool,
  type RedialToolOptions,
  toolsOf,
  toolOperations,
  type ToolView,
  ToolFunctions,
  registerDeclaredTools,
} from '#lib/runs/tools';
