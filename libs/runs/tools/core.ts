export { type CallAt, callAt, type RulesAt } from './call-at.rules.js';
export { instancesIn } from './instances-in.js';
export { changedArguments, resultText, shownResult } from './shown-result.rules.js';
export {
  beginToolCall,
  evolveToolCall,
  resultOf,
  type ToolCallState,
  toolCallSteps,
} from './tool-call.rules.js';
export { type ToolCallAsked, type ToolFact } from './tool-arguments.rules.js';
export { callTool, toolCalled } from './tool-call.script.js';
export { ToolFacts } from './tool-facts.js';
export { toolDecider } from './tools.decider.js';
export { type ToolBody, type ToolEvent, toolEventDefinitions, type ToolPolicy } from './tools.events.js';
export { toolsModel } from './tools.read-model.js';
