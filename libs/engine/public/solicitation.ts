/**
 * The workflow that gets one proposal from one proposer.
 * @packageDocumentation
 * @experimental Names and shapes may change in any minor release before 1.0.
 */
export {
  failureKind,
  buildToolsFromTransitions,
  type OfferedTransitions,
  textsIn,
  type Messages,
  textMessages,
  toolMessages,
  type Decision,
  readDecision,
  type UnreadableDecision,
  machineTemplateWarnings,
  specialistTemplateWarnings,
  templateWarnings,
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
  solicitationRequests,
  solicitationResult,
  solicitation,
} from '#lib/decisions/solicitation';
export {
  type ChatTool,
  InvalidModelId,
  type ModelIdParts,
  parseModelId,
  splitModelId,
  renderTemplate,
  templateProblem,
} from '#lib/call-rules';
