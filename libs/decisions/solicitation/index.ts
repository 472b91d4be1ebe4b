export { failureKind } from './activity-failure.js';
export { buildToolsFromTransitions, type OfferedTransitions } from './build-tools.js';
export {
  type ContextFn,
  ProposerFunctions,
  type StrategyFn,
  type StrategyResult,
} from './functions/proposer-functions.js';
export { registeredFunctions } from './functions/registered-functions.js';
export { callLlmWithTools, NoToolCallError, type ToolCallResult } from './plain/call-llm-with-tools.js';
export { callLlm } from './plain/call-llm.js';
export { ConfigurationError } from './plain/environment-llm.js';
export {
  executeProposerLlm,
  type LlmProposal,
  type LlmProposerContext,
} from './plain/execute-proposer-llm.js';
export type { LlmAudit, LlmAuditEntry } from './plain/llm-audit.js';
export type { ApiUsage as ChatUsage } from '#lib/call-rules';
export { type Messages, textMessages, toolMessages } from './prompts.js';
export { textsIn } from './proposing-workflow.js';
export { type AnsweredRequest, answerOutcome, isOnText, readAnswer, type ReadAnswer } from './read-answer.js';
export { type Decision, readDecision, type UnreadableDecision } from './read-decision.js';
export { resultBefore03, solicitationRequests, solicitationResult } from './solicitation-requests.js';
export {
  type ProposerMode,
  type SolicitationPolicies,
  type SolicitationInput,
  type SolicitationFacts,
  type CallRung,
  type LadderStep,
  type FallbackTaken,
  isLadderStep,
  type ArgumentFindings,
  type SolicitationChoice,
  type SolicitationLoss,
} from './solicitation.events.js';
export { solicitation } from './solicitation.workflow.js';
export {
  machineTemplateWarnings,
  specialistTemplateWarnings,
  templateWarnings,
} from './template-warnings.js';
