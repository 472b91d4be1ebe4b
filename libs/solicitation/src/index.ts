export { buildToolsFromTransitions, type ChatTool, type OfferedTransitions } from './build-tools.js';
export { LADDER_VERSION } from './ladder-versions.js';
export { InvalidModelId, type ModelIdParts, parseModelId, splitModelId } from './parse-model-id.js';
export { type Messages, requestBody, textMessages, toolMessages } from './prompts.js';
export { type Decision, readDecision, type UnreadableDecision } from './read-decision.js';
export {
  type Completion,
  type FailedReply,
  readReply,
  type Reply,
  type ToolCall,
  type Usage,
} from './read-reply.js';
export { renderTemplate, templateProblem } from './render-template.js';
export * from './solicitation.events.js';
export type { SolicitationRequest, SolicitationState } from './solicitation.state.js';
export { solicitationResult } from './solicitation-result.js';
export { solicitation } from './solicitation.workflow.js';
