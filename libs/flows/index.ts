export * from './core.js';
export * as agentOperations from './agent/agents.operations.js';
export { FlowFunction, flowFunctionsOf } from './agent/flow-function.decorator.js';
export * as conversationCallsOperations from './conversation/conversation-calls.operations.js';
export * as forkConversationOperations from './conversation/fork-conversation.operation.js';
export * as conversationOperations from './conversation/conversations.operations.js';
export type {
  ConversationView,
  TurnView,
  ConversationReplayReport,
} from './conversation/conversations.views.js';
export * as turnOperations from './conversation/turns.operations.js';
