export { configurationRejection } from './configuration-rejection.js';
export {
  DuplicateFunction,
  functionsInPlace,
  type InPlace,
  type WithFunctions,
} from './functions/functions-in-place.js';
export { callFunction } from './functions/function-calls.js';
export {
  functionActivity,
  type NamedFunctions,
  type RegisteredFunctions,
  type ToolFnCall,
  type WorkflowFn,
} from './functions/function.activity.js';
export { plainJson } from './functions/plain-json.js';
export { InvalidBaseUrl, publicUrl, chatUrl } from './http/public-url.js';
export {
  type CompletedToolCall,
  completionBody,
  streamedBody,
  toolCallsMessage,
} from './llm/completion-body.js';
export { LlmCalls } from './llm/llm-calls.js';
export type { LlmOutcome, ModelCalls, ModelRequest } from './llm/model-calls.js';
export {
  DEFAULT_BASE_URL,
  type LlmConfig,
  llmConfigFrom,
  llmConfigProblem,
  llmSecrets,
} from './llm/llm-config.js';
export { type LlmProvider, LlmProviders } from './llm/llm-providers.js';
export { llmActivity } from './llm/llm.activity.js';
export { addressSecrets, connectionSecrets, secretValues } from './redaction/configured-values.js';
export { REDACTED, Redactor } from './redaction/redactor.js';
export { Sandbox, sandboxActivity } from './sandbox/sandbox.activity.js';
export { type McpServer, McpServers } from './tools/mcp-servers.js';
export { toolResultOf, toolActivity, type ToolPerformers } from './tools/tool.activity.js';
export {
  type WebhookCall,
  WebhookCaller,
  type WebhookOutcome,
  type WebhookSettings,
} from './webhooks/webhook-caller.js';
export { WebhookTokens } from './webhooks/webhook-tokens.js';
export { webhookActivity } from './webhooks/webhook.activity.js';
