export { ArbiterFailed } from './arbitrations/arbiter-failed.js';
export { arbitrationRun, type ArbitrationSettings } from './arbitrations/arbitration-run.js';
export { Arbitrations, ArbitrationUnfinished } from './arbitrations/arbitrations.js';
export { checkCallerInput } from './check-caller-input.js';
export { driveLease, Driver, type DriverSettings, sessionRecovery } from './drive/driver.js';
export { OpenSessions } from './drive/open-sessions.js';
export { Participants } from './drive/participants.js';
export { Preflight } from './drive/preflight.js';
export { ReinstatementRule } from './drive/reinstatement-rule.js';
export { SessionLoop } from './drive/session-loop.js';
export { Ticker } from './drive/ticker.js';
export { SessionEvents, type SessionLogEvent } from './session-events.js';
export { SessionReader } from './session-reader.js';
export { SessionRun } from './session-run.js';
export { CreateSession, RunSession, type CreateSessionInput } from './sessions.operations.js';
export type {
  Arbitration,
  Consensus,
  CreatedSession,
  Session,
  SessionSummary,
  Tick,
} from './sessions.views.js';
export { Facts } from './solicitations/facts.js';
export { ProposerFailed } from './solicitations/proposer-failed.js';
export { ProposerCheck, type SolicitationSettings } from './solicitations/proposer-mode.js';
export { Authors } from './authors.js';
export { Proposers } from './solicitations/proposers.js';
export { solicitationRun } from './solicitations/solicitation-run.js';
export { SolicitationUnfinished, Solicitor } from './solicitations/solicitor.js';
export {
  SubmitArbitration,
  type DecisionInput,
  type SubmitArbitrationInput,
} from './submit-arbitration.operation.js';
export { SubmitProposal, type SubmitProposalInput } from './submit-proposal.operation.js';
export * as roundsOperations from './rounds.operations.js';
export * as sessionReads from './session-reads.operations.js';
export * as sessionsOperations from './sessions.operations.js';
