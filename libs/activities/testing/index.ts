export { completion, text, toolCall } from './completions.js';
export { setEnvironment } from './environment.js';
export { hostileMessages } from './hostile-messages.js';
export { hostilePrograms, machinePrograms } from './hostile-programs.js';
export { RawReplyServer } from './raw-replies.js';
export { ScriptedLlmServer } from './scripted-llm-server.js';
export {
  droppedConnection,
  heldBack,
  httpError,
  noAnswer,
  partialReply,
  reply,
  type ScriptedReply,
  streamed,
} from './scripted-reply.js';
export type { ScriptedRequest, ServerScript as LlmScript } from './scripted-server.js';
export { ScriptedWebhookServer } from './scripted-webhook-server.js';
