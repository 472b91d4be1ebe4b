export { type CallerGiven, type Choice, mergeGiven } from './choice.js';
export { arrivedProposal, type ProposalStatus, type ProposalView } from './proposal-view.js';
export { type ProposerContext, proposerContext } from './proposer-context.js';
export type {
  CloseSolicitation,
  CreateSession,
  ExecuteTransition,
  SessionCommand,
  SolicitProposal,
  SubmitProposal,
} from './session.commands.js';
export { sessionDecider } from './session.decider.js';
export {
  type ProposalFailed,
  type ProposalSetAside,
  type ProposalSolicited,
  type ProposalSubmitted,
  type SessionCreated,
  type SessionEvent,
  sessionEventDefinitions,
  type TransitionExecuted,
} from './session.events.js';
export * as sessionRejections from './session.rejections.js';
export {
  currentRound,
  findRound,
  type PastTransition,
  type Round,
  type Session,
  type SessionState,
} from './session.state.js';
export {
  sessionViewAt,
  type SessionStatus,
  type SessionView,
  statusAt,
  type TransitionRecord,
  transitionRecord,
} from './session-view.js';
export type { SolicitationFailure } from './solicitation-failure.js';
