export type { VariantOverrides } from './fork/fork.events.js';
export { alignmentScope } from './arbitration/human-override.js';
export type { ArbitrationFailure, SolicitationFailure } from './failures.js';
export {
  type ArbitrationResult,
  arbitrationResult,
  arbitrationSpending,
} from './arbitration/arbitration-result.js';
export {
  type ArbitrationClass,
  type ArbitrationQuestion,
  classifyArbitration,
} from './arbitration/classify-arbitration.js';
export { classifySubmission } from './arbitration/classify-submission.js';
export { type Choice, mergeGiven, spendingOf } from './choice.js';
export { type CallerInput, type Spending, spendingMembers, statedMembers } from './proposal.members.js';
export { type AlignmentScore, type AlignmentSnapshot, alignmentOf } from './consensus/alignment-snapshot.js';
export { type ArbiterContext, arbiterContext } from './consensus/arbiter-context.js';
export { builtInArbiter, builtInArbiters } from './consensus/built-in-arbiters.js';
export { consensusBasis, sameBasis } from './consensus/consensus-basis.js';
export type { ArbiterRef, ConsensusBasis, ProposalRef, Verdict } from './consensus/consensus-question.js';
export { effectiveThreshold } from './consensus/effective-threshold.js';
export { type ConsensusView, evaluateConsensus } from './consensus/evaluate-consensus.js';
export { engineQuorum, type Quorum } from './consensus/quorum.js';
export { effectiveTrust, isTrusted } from './consensus/trust.js';
export {
  type ExemplarImported,
  exemplarImportDecider,
  type ImportExemplars,
} from './exemplar-import.decider.js';
export type { Approval } from './people/approvals.js';
export { type DecidingPerson, whyNotDeciding } from './people/deciding-person.js';
export { approvalsNeeded } from './people/needs-person.rules.js';
export { type RoundAnswer, roundTask, type RoundTask, roundTaskId } from './people/round-task.js';
export {
  areAllInvalid,
  type AskedProposer,
  championFirst,
  championOf,
  isTripped,
  roundRoster,
} from './process/collapse.rules.js';
export {
  DEFAULT_SPECIALIST,
  defaultArbiter,
  defaultChoice,
  lackingSpecialists,
  namedSpecialists,
} from './process/lacking-specialists.js';
export { type Move, nextMove } from './process/next-move.rules.js';
export type { Roster } from './process/roster.js';
export { type LoopProgress, loopMoves, type Pace } from './process/session-loop.rules.js';
export { type Candidate, declaredIds, specialistsOfState } from './process/specialists-of-state.js';
export { unfitArguments } from './refused-arguments.js';
export { arrivedProposal, type ProposalStatus, type ProposalView } from './proposal-view.js';
export { type ContextExemplar, type ProposerContext, proposerContext } from './proposer-context.js';
export {
  runsOfFork,
  type ForkOrigin,
  forkOrigin,
  sessionViewAt,
  type SessionStatus,
  type SessionView,
  statusAt,
  type TransitionRecord,
  transitionRecord,
} from './session-view.js';
export type {
  CloseArbitration,
  CloseSession,
  CloseSolicitation,
  CreateSession,
  ExecuteTransition,
  ForkSession,
  RequestHumanInput,
  SessionCommand,
  SolicitProposal,
  SubmitArbitration,
  StartClock,
  SubmitProposal,
  TakeTime,
} from './session.commands.js';
export { sessionDecider, sessionDeciderLeavingToPeople } from './session.decider.js';
export {
  type AlignmentScope,
  type ApprovalGiven,
  type ArbitrationFailed,
  type ArbitrationRequested,
  type ClockEnded,
  type ClockStarted,
  type ConsensusNotReached,
  type ConsensusReached,
  type ForkEffects,
  type LackingSpecialist,
  type ProposerOverrides,
  type SessionForked,
  type HumanInputReason,
  type HumanInputRequested,
  type HumanOverrideAccepted,
  type ProposalFailed,
  type ProposalSetAside,
  type ProposalSolicited,
  type ProposalSubmitted,
  type SessionClosed,
  type SessionCreated,
  type SessionEvent,
  type TransitionExecuted,
  type VerdictSetAside,
} from './session.events.js';
export { exemplarEventDefinitions, sessionEventDefinitions, spendingKinds } from './session.members.js';
export * as sessionRejections from './session.rejections.js';
export {
  currentRound,
  findRound,
  type Judgement,
  type OpenArbitration,
  type Round,
  roundStart,
  type Session,
  type SessionState,
} from './session.state.js';
export { type OpenProposal, type PastTransition } from './session.events.js';
export { sessionSeen } from './session-seen.js';
export { withClocks } from './time/clocks.js';
