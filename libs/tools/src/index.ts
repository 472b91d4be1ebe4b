export {
  APPROVAL,
  beginToolCall,
  evolveToolCall,
  resultOf,
  shownResult,
  type ToolCallAsked,
  type ToolCallState,
  toolCallSteps,
  type ToolFact,
} from './tool-call.rules.js';
export { type DeclaredTool, RedialTool, type RedialToolOptions, toolsOf } from './redial-tool.decorator.js';
export { ToolFacts } from './tool-facts.js';
export { toolDecider } from './tools.decider.js';
export { type ToolBody, type ToolEvent, toolEventDefinitions, type ToolPolicy } from './tools.events.js';
export * as toolOperations from './tools.operations.js';
export { toolsProjection } from './tools.read-model.js';
export type { ToolView } from './tools.views.js';
