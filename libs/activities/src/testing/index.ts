export { completion, type CompletionOptions, type ScriptedUsage, text, toolCall } from './completions.js';
export { setEnvironment } from './environment.js';
export { type LlmScript, ScriptedLlmServer, type ScriptedRequest } from './scripted-llm-server.js';
export {
  droppedConnection,
  heldBack,
  httpError,
  noAnswer,
  partialReply,
  reply,
  type ScriptedReply,
} from './scripted-reply.js';
