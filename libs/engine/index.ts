/**
 * The engine as a Nest module, and the facade `Redial` with a method for every operation.
 * @packageDocumentation
 */
export * from './core.js';
export { operations } from './declared-operations.js';
export { engineParts, type RedialAsyncOptions, RedialModule } from './module/redial.module.js';
export { Redial, type RunInput } from './redial.js';
export type { Streamed } from './streamed.js';
export {
  ArbiterFailed,
  type Arbitration,
  ArbitrationUnfinished,
  type Consensus,
  type CreatedSession,
  type CreateSessionInput,
  ProposerFailed,
  type Session,
  SessionEvents,
  type SessionLogEvent,
  type SessionSummary,
  SolicitationUnfinished,
  type SubmitArbitrationInput,
  type SubmitProposalInput,
  type Tick,
} from '#lib/decisions/driving';
// The functions of an application, as its options take them.
export type { ToolFnCall, WorkflowFn } from '#lib/activities';
export type { ArbiterFn } from '#lib/decisions/arbitration';
export type { ArbiterContext, ProposerContext } from '#lib/decisions/session';
export type { ContextFn, StrategyFn } from '#lib/decisions/solicitation';
export { type CreatedGate, type Gate, type GateResult } from '#lib/decisions/gates';
export {
  AppendTooLarge,
  ConflictNotSettled,
  ForeignPosition,
  KeyMissing,
  NoLog,
  StoreUnavailable,
  TooManyReaders,
  UndecodableEvent,
  UnknownEvent,
} from '#lib/event-store';
export {
  type AgentInput,
  type AgentOf,
  type ConversationEvent,
  type ConversationView,
  defineAgent,
  type Directive,
  flow,
  FlowFunction,
  type MessageDelta,
  InvalidAgent,
  InvalidDirective,
  TurnNotTaken,
  TurnUnfinished,
  type TurnView,
} from '#lib/flows';
export {
  type Evaluation,
  type EvaluationSummary,
  EvaluationUnfinished,
  HistoryBroken,
  HistoryIsReadOnly,
  HistoryTooLarge,
  ProofTooLarge,
  NoHistory,
  type RecordedEvaluation,
} from '#lib/histories';
export type { RecordedEvent } from '#lib/kernel';
export { LogNotClaimed, SealKeyMissing } from '#lib/seals/core';
export { type CommandOptions, type ReadOptions, RejectionError, type Written } from '#lib/operations';
export { ProjectionBehind, StreamStandsStill } from '#lib/read-models';
export { type LlmCall, unknownCall, type WebhookCall } from '#lib/runs/calls';
export { type RunDelta, type RunLogEvent } from '#lib/runs/runs';
export { InvalidReaction, OnRedial, type ReactionDelivery } from '#lib/reactions';
export { RedialTool, type RedialToolOptions } from '#lib/runs/tools';
export {
  CannotPerform,
  DamagedRun,
  type Failure,
  MissingRules,
  NotDerived,
  type Rules,
  RuntimeStopped,
  type Seen,
  type Step,
  type Workflow,
} from '#lib/workflow';
