export { type ToolBody, type ToolEvent, toolEventDefinitions, type ToolPolicy } from './tools.events.js';
export { toolsProjection } from './tools.read-model.js';
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
export { toolDecider } from './tools.decider.js';
