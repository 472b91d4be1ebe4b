/**
 * Calls to models, webhooks and functions, and the redaction of secrets.
 * @packageDocumentation
 * @experimental Names and shapes may change in any minor release before 1.0.
 */

export { ConfigurationError } from './plain/environment-llm.js';
export type { ChatUsage } from './plain/plain-call.js';
export { callLlm } from './plain/call-llm.js';
export { callLlmWithTools, NoToolCallError, type ToolCallResult } from './plain/call-llm-with-tools.js';
export {
  executeProposerLlm,
  type LlmProposal,
  type LlmProposerContext,
} from './plain/execute-proposer-llm.js';
export type { LlmAudit, LlmAuditEntry } from './plain/llm-audit.js';
export { ArbiterFunctions, type ArbiterFn, type ArbiterResult } from './functions/arbiter-functions.js';
export { DuplicateFunction } from './functions/duplicate-function.js';
export {
  type ContextFn,
  ProposerFunctions,
  type StrategyFn,
  type StrategyResult,
} from './functions/proposer-functions.js';
export { InvalidBaseUrl, publicUrl } from './http/public-url.js';
export { LlmCalls } from './llm/llm-calls.js';
export {
  DEFAULT_BASE_URL,
  type LlmConfig,
  llmConfigFrom,
  llmConfigProblem,
  llmSecrets,
} from './llm/llm-config.js';
export { type LlmProvider, LlmProviders } from './llm/llm-providers.js';
export { REDACTED, Redactor } from './redaction/redactor.js';
export { addressSecrets, connectionSecrets, secretValues } from './redaction/configured-values.js';
export { WebhookTokens } from './webhooks/webhook-tokens.js';
export {
  type WebhookCall,
  WebhookCaller,
  type WebhookOutcome,
  type WebhookSettings,
} from './webhooks/webhook-caller.js';
export {
  functionActivity,
  type NamedFunctions,
  type RegisteredFunctions,
  type ToolFnCall,
  type WorkflowFn,
} from './functions/function.activity.js';
export { registeredFunctions } from './functions/registered-functions.js';
export { webhookActivity } from './webhooks/webhook.activity.js';
export { llmActivity } from './llm/llm.activity.js';
export { type McpServer, McpServers } from './tools/mcp-servers.js';
export { Sandbox, sandboxActivity } from './sandbox/sandbox.activity.js';
export { plainJson } from './functions/plain-json.js';
export { toolResultOf } from './tools/tool-result.js';
export { toolActivity, type ToolPerformers } from './tools/tool.activity.js';
