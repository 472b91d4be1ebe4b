export * from './core.js';
export type { SubmitArbitrationInput } from './sessions/submit-arbitration.operation.js';
export type { SubmitProposalInput } from './sessions/submit-proposal.operation.js';
export { operations } from './declared-operations.js';

export { EvaluationUnfinished } from './evaluations/evaluation-unfinished.js';
export { type RedialAsyncOptions, RedialModule } from './module/redial.module.js';
export { DuplicateHandler } from './module/refuse-duplicate-handlers.js';
export type { TickResult } from './process-manager/tick-result.js';
export { foreignPosition, internalProblem, problemOf } from './problems/problem-of.js';
export { type HttpProblem, httpProblem } from './problems/problem.js';
export { Redial, type RunInput } from './redial.js';
export { SessionEvents } from './sessions/session-events.js';
export { type LlmCall, unknownCall, type WebhookCall } from '#lib/audit';
export type { CreateSessionInput } from './sessions/sessions.operations.js';
export type {
  Arbitration,
  Consensus,
  CreatedSession,
  Session,
  SessionSummary,
  Tick,
} from './sessions/sessions.views.js';
export { SolicitationUnfinished } from './solicitations/solicitation-unfinished.js';
export type { Evaluation, EvaluationSummary, RecordedEvaluation } from './evaluations/evaluations.views.js';
export type { CreatedGate, Gate, GateResult } from './gates/gates.views.js';

export { ArbiterFailed } from './arbitrations/arbiter-failed.js';
export { ArbitrationUnfinished } from './arbitrations/arbitration-unfinished.js';
export { type CommandOptions, type Written, type ReadOptions, RejectionError } from '#lib/operations';
export { ProposerFailed } from './write-side/proposer-failed.js';
export { RedialTool, type RedialToolOptions } from '#lib/tools';
export type { Failure, Rules, Seen, Step, Workflow } from '#lib/workflow';
