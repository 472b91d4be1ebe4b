/**
 * The events of calls to models, webhooks, functions and tools, and the rules that read replies.
 * @packageDocumentation
 * @experimental Names and shapes may change in any minor release before 1.0.
 */

export { type CallReading, callReading, type ReadableCall } from './call-reading.js';
export {
  type AskedArguments,
  type AskedIn,
  argumentsOf,
  argumentsTextOf,
  evolveArguments,
  isLongArguments,
  noArguments,
} from './asked-arguments.rules.js';
export { damagedBody, type ReceivedReply, type RecordedBody, type RecordedReply } from './recorded-reply.js';
export { excerpt } from './excerpt.js';
export { parseReplyJson, parseReplyObject } from './parse-reply-json.js';
export {
  addUsage,
  type ModelPrice,
  type PriceInForce,
  readUsage,
  tokenCost,
  type Usage,
  usageCost,
} from './usage.js';
export {
  type Completion,
  type FailedReply,
  readReply,
  TOO_MUCH_IN_REPLY,
  type Reply,
  type ReplyFailure,
  type ToolCall,
} from './read-reply.js';
export { type RefusedReply, type StoredReply, readWebhookText, unusableReply } from './read-webhook-text.js';
export { delayBefore, isWorthAnotherAttempt, MOST_INTERRUPTIONS, waitAskedBy } from './retries.js';
export { addTokens, inputTokens, NO_TOKENS, type TokenBuckets, tokenBuckets } from './token-buckets.js';
export { USUAL_REQUEST_HEADERS } from './llm/usual-headers.js';
export {
  type BudgetCheck,
  type BudgetChecked,
  type BudgetCheckFailed,
  type BudgetCheckRequested,
  budgetCheckRules,
  type BudgetMax,
  type BudgetScope,
  type Spending,
} from './budget-check.rules.js';
export {
  type FunctionAnswer,
  functionAnswer,
  type FunctionCall,
  type FunctionCallCompleted,
  type FunctionCallFailed,
  type FunctionCallRequested,
  functionCallRules,
  type FunctionPurpose,
  functionPurpose,
} from './function-call.rules.js';
export { type GivenPart, referred } from './given-parts.rules.js';
export { type ActivityCallEvent, recordedCalls } from './recorded-calls.js';
export {
  type SandboxCall,
  type SandboxCompleted,
  type SandboxEnd,
  problemIn,
  type SandboxFailed,
  type SandboxLimits,
  type SandboxMemory,
  type SandboxObject,
  type SandboxOutcome,
  type SandboxProgram,
  type SandboxResult,
  sandboxRules,
  type SandboxSlice,
  type SandboxTrace,
  type WholeSlice,
  wholeSlice,
} from './sandbox-call.rules.js';
export {
  type WebhookCall,
  type WebhookCallCompleted,
  type WebhookCallFailed,
  type WebhookCallRequested,
  webhookCallRules,
} from './webhook-call.rules.js';
export {
  DEFAULT_PROVIDER,
  type LlmCallCompleted,
  type LlmCallDetails,
  type LlmCallEvent,
  type LlmCallFailed,
  type LlmCallInput,
  type LlmCallRequested,
  type MessageEntry,
  type MessagesDelta,
} from './llm/llm-call.events.js';
export {
  bringsToken,
  chunksIn,
  completionIn,
  deltaText,
  holdsTooMuch,
  LINE_END,
} from './llm/completion.rules.js';
export { bodyOf, type LlmMemory } from './llm/llm-body.rules.js';
export { llmCallRules } from './llm/llm-call.rules.js';
export { assistantMessage, emptyLlmMemory, evolveLlmMemory, resultText } from './llm/llm-memory.rules.js';
export {
  type ToolCall as ToolRequest,
  type ToolCallCompleted,
  type ToolCallFailed,
  type ToolCallRejected,
  type ToolCallRequested,
  toolCallRules,
  type ToolExecution,
  type ToolResult,
} from './tool-call.rules.js';
