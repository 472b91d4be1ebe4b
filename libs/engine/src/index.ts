export {
  type CreatedSession,
  CreateSessionCommand,
  type CreateSessionInput,
} from './commands/create-session.command.js';
export {
  ExecuteTransitionCommand,
  type ExecuteTransitionInput,
} from './commands/execute-transition.command.js';
export { RunSessionCommand, type RunSessionInput } from './commands/run-session.command.js';
export {
  SubmitArbitrationCommand,
  type SubmitArbitrationInput,
} from './commands/submit-arbitration.command.js';
export { SubmitProposalCommand, type SubmitProposalInput } from './commands/submit-proposal.command.js';
export { TickAllCommand } from './commands/tick-all.command.js';
export { TickSessionCommand } from './commands/tick-session.command.js';
export { operations } from './declared-operations.js';
export type { DefinedMachine, Machine } from './machines/machines.views.js';
export { EvaluationUnfinished } from './evaluations/evaluation-unfinished.js';
export { type TakenLog, takeLog } from './module/log-claim.js';
export { type LogPlace, openEventLog, openEventStore } from './module/open-event-log.js';
export { eventCatalogue } from './module/event-catalogue.js';
export { type RedialAsyncOptions, RedialModule } from './module/redial.module.js';
export { DuplicateHandler } from './module/refuse-duplicate-handlers.js';
export type { TickResult } from './process-manager/tick-result.js';
export { ConsensusQuery } from './queries/consensus.query.js';
export { ProjectionStatusesQuery } from './queries/projection-statuses.query.js';
export { ReadModelsQuery } from './queries/read-models.query.js';
export { SessionAtQuery } from './queries/session-at.query.js';
export { SessionEventsQuery } from './queries/session-events.query.js';
export { VerifySessionQuery } from './queries/verify-session.query.js';
export { openReadStore, projectionRunner } from './read-side/open-read-side.js';
export { Redial } from './redial.js';
export { EngineSettings } from './settings/engine-settings.js';
export { InvalidSetting } from './settings/defaults.js';
export { Environment, type LogLevel, readEnvironment } from './settings/environment.js';
export { optionsFrom, withOptions } from './settings/options-from.js';
export type { RedialOptions } from './settings/redial-options.js';
export { SolicitationUnfinished } from './solicitations/solicitation-unfinished.js';
export type { Evaluation, EvaluationSummary, RecordedEvaluation } from './evaluations/evaluations.views.js';
export type { CreatedGate, Gate, GateResult } from './gates/gates.views.js';
export type { RegisteredSpecialist, Specialist } from './specialists/specialists.views.js';
export { DeclaredSpecialists } from './specialists/declared-specialists.js';
export type { ArbiterRegistration, ProposerRegistration } from './specialists/register-functions.js';
export { ArbiterFailed } from './arbitrations/arbiter-failed.js';
export { ArbitrationUnfinished } from './arbitrations/arbitration-unfinished.js';
export {
  type Call,
  callOf,
  type CallOptions,
  type Granted,
  type ReadOptions,
  RejectionError,
} from '#lib/operations';
export { ProposerFailed } from './write-side/proposer-failed.js';
export { RedialTool, type RedialToolOptions } from '#lib/tools';
export type { Failure, Rules, Seen, Step, Workflow } from '#lib/workflow';
