export {
  type AskedArguments,
  type AskedIn,
  argumentsOf,
  argumentsTextOf,
  evolveArguments,
  isLongArguments,
  noArguments,
} from './asked-arguments.rules.js';
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
  type Budget,
  budgetSchema,
  type BudgetOfCalls,
  runBudgetSchema,
  unpricedModel,
} from './models/budget.rules.js';
export { type CallReading, callReading, conclusionOf, type ReadableCall } from './call-reading.js';
export { excerpt, LONGEST_MESSAGE } from './excerpt.js';
export {
  type FunctionCall,
  type FunctionCallCompleted,
  type FunctionCallFailed,
  type FunctionCallRequested,
  functionCallRules,
  type FunctionPurpose,
  functionPurpose,
} from './function-call.rules.js';
export { callFunction, functionCalled, type FunctionOptions } from './function-call.script.js';
export { type GivenPart, referred } from './given-parts.rules.js';
export {
  bringsToken,
  chunksIn,
  completionIn,
  deltaText,
  holdsTooMuch,
  LINE_END,
} from './llm/completion.rules.js';
export { bodyOf, type LlmMemory, storedBody } from './llm/llm-body.rules.js';
export {
  DEFAULT_PROVIDER,
  type LlmCallCompleted,
  type LlmCallDetails,
  type LlmCallEvent,
  type LlmCallFailed,
  type LlmCallInput,
  type LlmCallRequested,
  llmEventDefinitions,
  type MessageEntry,
  type MessagesDelta,
} from './llm/llm-call.events.js';
export { llmCallRules } from './llm/llm-call.rules.js';
export { assistantMessage, emptyLlmMemory, evolveLlmMemory, resultText } from './llm/llm-memory.rules.js';
export { lastRequestBody, requestBodies } from './llm/request-bodies.js';
export { USUAL_REQUEST_HEADERS } from './llm/usual-headers.js';
export {
  engineMember,
  engineMemberRefusal,
  type ModelParameters,
  modelParametersSchema,
  otherParametersSchema,
  plainParametersSchema,
} from './model-parameters.js';
export {
  askModel,
  type ModelQuestion,
  type ModelReply,
  type ModelToolCall,
} from './models/ask-model.script.js';
export { type AskedCall, type AssistantTurn, readTurn } from './models/assistant-turn.rules.js';
export { withCorrections } from './models/corrections.rules.js';
export type { ModelsFact } from './models/forked-routes.rules.js';
export {
  bodyAgain,
  type ChatTool,
  chatTool,
  modelBody,
  type OfferedTool,
  type Question,
} from './models/model-body.rules.js';
export type { ModelFallback } from './models/model-call.events.js';
export { askedModel, type ModelRequest } from './models/model-call.script.js';
export type { ModelFailure } from './models/model-outcome.rules.js';
export {
  InvalidModelId,
  type ModelIdParts,
  type ModelRoute,
  parseModelId,
  splitModelId,
  takesTools,
} from './models/model-route.js';
export { addSpent, isSpent, type ModelAsk, NOTHING_SPENT, type Spent, spentMembers } from './models/spent.js';
export { changedNames, type ToolNames, toolNames } from './models/tool-names.rules.js';
export {
  holdsTooManyMembers,
  parseReplyJson,
  parseReplyObject,
  replyAllowance,
  TOO_MANY_MEMBERS,
  withoutByteOrderMark,
} from './parse-reply-json.js';
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
export { type ActivityCallEvent, recordedCalls } from './recorded-calls.js';
export { damagedBody, type ReceivedReply, type RecordedBody, type RecordedReply } from './recorded-reply.js';
export {
  renderTemplate,
  templateProblem,
  templateRenderer,
  TemplateTooLarge,
  templateTokens,
  type TemplateToken,
} from './render-template.js';
export { delayBefore, MOST_INTERRUPTIONS } from '#lib/workflow';
export { isWorthAnotherAttempt, longWaitAskedBy, waitAskedBy } from './retries.js';
export {
  type SandboxCall,
  type SandboxCompleted,
  type SandboxEnd,
  problemIn,
  type SandboxFailed,
  type SandboxLimits,
  type SandboxObject,
  type SandboxOutcome,
  type SandboxProgram,
  type SandboxResult,
  type SandboxSlice,
  type SandboxTrace,
} from './sandbox-call.events.js';
export { type SandboxMemory, sandboxRules, type WholeSlice, wholeSlice } from './sandbox-call.rules.js';
export { addTokens, inputTokens, NO_TOKENS, type TokenBuckets, tokenBuckets } from './token-buckets.js';
export {
  CONVERSATION_PARTS,
  type ConversationPart,
  NOT_ALLOWED_IN_TIME,
  type ToolCall as ToolRequest,
  type ToolCallCompleted,
  type ToolCallFailed,
  type ToolCallMemory,
  type ToolCallRejected,
  type ToolCallRequested,
  toolCallRules,
  type ToolConversation,
  type ToolExecution,
  type ToolResult,
  toolExecutionMembers,
  wholeToolCall,
} from './tool-call.rules.js';
export { addUsage, type ApiUsage, apiUsage, readUsage, type Usage } from './usage.js';
export { addUsageTotals, NO_USAGE, type UsageTotals, usageTotals } from './usage-totals.js';
export { type ModelPrice, type PriceInForce, tokenCost, usageCost } from './price.js';
export {
  type WebhookCall,
  type WebhookCallCompleted,
  type WebhookCallFailed,
  type WebhookCallRequested,
  webhookCallRules,
} from './webhook-call.rules.js';
