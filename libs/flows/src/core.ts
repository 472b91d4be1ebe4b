export { type AgentEvent, agentEventDefinitions } from './agent/agents.events.js';
export { agentsProjection } from './agent/agents.read-model.js';
export { type ConversationEvent, conversationEventDefinitions } from './conversation/conversation.events.js';
export { conversationsProjection } from './conversation/conversations.read-model.js';
export { conversationView, turnOf, turnViews } from './conversation/conversation-view.rules.js';
export type { ConversationView, TurnView } from './conversation/conversations.views.js';
export { type ConversationReplayReport, verifyConversation } from './conversation/verify-conversation.js';
export { turnRequests } from './conversation/turn-run.js';
export { turn } from './turn/turn.workflow.js';
