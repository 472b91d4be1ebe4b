export * from './core.js';
export * as forkOperations from './forks/fork-session.operation.js';
export { sessionForkMembers } from './forks/fork-session.operation.js';
export * as roundsOperations from './rounds.operations.js';
export { SessionEvents, type SessionLogEvent } from './session-events.js';
export * as sessionReads from './session-reads.operations.js';
export { SessionRun } from './session-run.js';
export * as sessionsOperations from './sessions.operations.js';
export { type CreateSessionInput, CreateSession, RunSession } from './sessions.operations.js';
export type { Arbitration, Consensus, CreatedSession, SessionSummary, Tick } from './sessions.views.js';
export { Session } from './sessions.views.js';
export {
  type SubmitArbitrationInput,
  SubmitArbitration,
  type DecisionInput,
} from './submit-arbitration.operation.js';
export { type SubmitProposalInput, SubmitProposal } from './submit-proposal.operation.js';
