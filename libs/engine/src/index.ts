export {
  type CreatedSession,
  CreateSessionCommand,
  type CreateSessionInput,
} from './commands/create-session.command.js';
export { type DefinedMachine, DefineMachineCommand } from './commands/define-machine.command.js';
export {
  ExecuteTransitionCommand,
  type ExecuteTransitionInput,
} from './commands/execute-transition.command.js';
export {
  type RegisteredSpecialist,
  RegisterSpecialistCommand,
} from './commands/register-specialist.command.js';
export { SetSpecialistEnabledCommand } from './commands/set-specialist-enabled.command.js';
export { SubmitProposalCommand, type SubmitProposalInput } from './commands/submit-proposal.command.js';
export { unknownMachine } from './machines/machine-catalog.js';
export { openEventLog } from './module/open-event-log.js';
export { eventCatalogue } from './module/event-catalogue.js';
export { type RedialAsyncOptions, RedialModule } from './module/redial.module.js';
export { DuplicateHandler } from './module/refuse-duplicate-handlers.js';
export { ProjectionStatusesQuery } from './queries/projection-statuses.query.js';
export { ReadModelsQuery } from './queries/read-models.query.js';
export { SessionAtQuery } from './queries/session-at.query.js';
export { SessionEventsQuery } from './queries/session-events.query.js';
export { VerifySessionQuery } from './queries/verify-session.query.js';
export { openReadStore, projectionRunner } from './read-side/open-read-side.js';
export { type ReadOptions, Redial } from './redial.js';
export { EngineSettings } from './settings/engine-settings.js';
export { Environment, InvalidSetting, type LogLevel, readEnvironment } from './settings/environment.js';
export type { RedialOptions } from './settings/redial-options.js';
export { SolicitationUnfinished } from './solicitations/solicitation-unfinished.js';
export { DeclaredSpecialists } from './specialists/declared-specialists.js';
export type { ProposerRegistration } from './specialists/register-functions.js';
export { type Call, callOf, type CallOptions } from './write-side/call.js';
export type { Granted } from './write-side/granted.js';
export { ProposerFailed } from './write-side/proposer-failed.js';
export { RejectionError } from './write-side/rejection-error.js';
