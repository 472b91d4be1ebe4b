// The names of these events and of their members are the storage format: logs of every release hold them.
// Add members as optional ones, and their kinds in `session.members.ts`; to rename or to change a meaning, raise the version and write an upcaster.
import type { ForkedFrom } from '#lib/event-store';
import type { Event, JsonObject, Labels } from '#lib/kernel';
import type { MachineDefinition, SpecialistVersions } from '#lib/decisions/machines';
import type { Choice } from './choice.js';
import type { CallerInput, Spending } from './proposal.members.js';
import type { AlignmentSnapshot } from './consensus/alignment-snapshot.js';
import type { ConsensusBasis, Verdict } from './consensus/consensus-question.js';
import type { ArbitrationFailure, SolicitationFailure } from './failures.js';
import type { SessionForked } from './fork/fork.events.js';
import type { ClockEnded, ClockStarted, HumanInputRequested, SessionClosed } from './people/wait.events.js';

export type { ForkEffects, LackingSpecialist, ProposerOverrides, SessionForked } from './fork/fork.events.js';
export type {
  ClockEnded,
  ClockStarted,
  HumanInputReason,
  HumanInputRequested,
  SessionClosed,
} from './people/wait.events.js';

/** A transition that was executed. */
export type PastTransition = {
  readonly transitionName: string;
  readonly fromState: string;
  readonly toState: string;
  readonly reasoning: string;
  readonly metaJson?: JsonObject;
};

/** A proposal that counts in the current round. */
export type OpenProposal = Choice & {
  readonly proposalId: string;
  readonly specialistId: string;
  readonly specialistVersion: number;
  readonly isHuman: boolean;
};

/** Holds the whole normalized machine, so that the stream can be read by itself. */
export type SessionCreated = Event<
  'SessionCreated',
  Labels & {
    readonly sessionId: string;
    readonly machineName: string;
    /** Absent if the machine came with the command. */
    readonly machineVersion?: number;
    readonly machineHash: string;
    readonly initialState: string;
    readonly roundId: string;
    /** The person who created it. Absent before 0.3, and if the caller was none. */
    readonly by?: string;
    /** The clock of the round, if it has one. */
    readonly clockId?: string;
    readonly metaJson?: JsonObject;
    /** Decisions before this session, oldest first: specialists see them before those of the session. */
    readonly earlier?: readonly PastTransition[];
    readonly machine: MachineDefinition;
    /** The versions of the specialists that the machine declares; absent if it declares none. */
    readonly specialistVersions?: SpecialistVersions;
    /** By the humans of a machine that came with the command: SHA-256 of the token that proves a person's identity as this human. */
    readonly actorTokenHashes?: { readonly [specialistId: string]: string };
    /** The parent of a fork. */
    readonly forkedFrom?: ForkedFrom;
  }
>;

/** A proposer is being asked. At most one is open for each specialist and round; closed by exactly one of the three events below. */
export type ProposalSolicited = Event<
  'ProposalSolicited',
  {
    readonly solicitationId: string;
    readonly roundId: string;
    readonly specialistId: string;
    readonly specialistVersion: number;
    /** The person who requested it. Absent before 0.3, and if the caller was none: an operator, or the engine itself. */
    readonly by?: string;
    /** The caller's members of the proposal, in place of the proposer's. */
    readonly given: CallerInput;
  }
>;

interface ProposalData extends OpenProposal {
  readonly roundId: string;
  /** The person who stated it, as themselves or as another specialist. Absent before 0.3, and if the caller was none. */
  readonly by?: string;
  /** Absent if a caller stated the proposal. */
  readonly solicitationId?: string;
}

/** A proposal counts in the current round. */
export type ProposalSubmitted = Event<'ProposalSubmitted', ProposalData>;

/** A proposal that is recorded, but never counts. */
export type ProposalSetAside = Event<
  'ProposalSetAside',
  ProposalData & {
    /** `late`: its round is over. `duplicate`: the specialist has a proposal in the round. `invalid`: the state does not offer its transition. */
    readonly reason: 'late' | 'duplicate' | 'invalid';
  }
>;

/** A proposer was asked and gave no proposal. */
export type ProposalFailed = Event<
  'ProposalFailed',
  {
    readonly solicitationId: string;
    readonly roundId: string;
    readonly specialistId: string;
    readonly failure: SolicitationFailure;
    /** The cost of the calls without a proposal. Absent if no price is known. */
    readonly costUSD?: number;
  }
>;

/**
 * An arbiter outside of the session (a function, a webhook) is being asked. At most one is open; closed by exactly one of
 * ConsensusReached, ConsensusNotReached, VerdictSetAside, ArbitrationFailed. Its input is in the stream of its arbitration.
 */
export type ArbitrationRequested = Event<
  'ArbitrationRequested',
  ConsensusBasis & {
    readonly arbitrationId: string;
    readonly roundId: string;
    /** The caller's members of the decision, in place of the winning proposal's. */
    readonly given: CallerInput;
  }
>;

interface Evaluated extends ConsensusBasis {
  readonly arbitrationId: string;
  readonly roundId: string;
  readonly reasoning: string;
  /** From 0 to 1, if the arbiter measures one. */
  readonly margin?: number;
  /** The cost of the arbitration: as given by the caller, else by the arbiter, else of its calls. Absent if unknown. */
  readonly spent?: Spending;
}

/** The arbiter found consensus. The transition of the winning proposal follows in the same append. */
export type ConsensusReached = Event<'ConsensusReached', Evaluated & { readonly winningProposalId: string }>;

/** The arbiter found no consensus, or one on a transition that needs people. Recorded again only after its basis has changed. */
export type ConsensusNotReached = Event<
  'ConsensusNotReached',
  Evaluated & {
    /** The proposal that the arbiter chose, whose transition needs a person. */
    readonly leftToPeople?: string;
  }
>;

/** A verdict that is recorded, but never counts. */
export type VerdictSetAside = Event<
  'VerdictSetAside',
  {
    readonly arbitrationId: string;
    readonly roundId: string;
    readonly verdict: Verdict;
    /**
     * `late`: its round is over. `invalid`: its winner is no proposal that the arbiter was shown. `untrusted`: its winner is
     * below the trust policy.
     */
    readonly reason: 'late' | 'invalid' | 'untrusted';
  }
>;

/** The arbiter gave no verdict. */
export type ArbitrationFailed = Event<
  'ArbitrationFailed',
  {
    readonly arbitrationId: string;
    readonly roundId: string;
    readonly failure: ArbitrationFailure;
  }
>;

/** The choice of one person in a round that needs several. After the deciding one, the decision follows in the same append. */
export type ApprovalGiven = Event<
  'ApprovalGiven',
  {
    readonly arbitrationId: string;
    readonly roundId: string;
    /** The human specialist as whom the person acts; else the person. */
    readonly specialistId: string;
    readonly specialistVersion: number;
    readonly by: string;
    /** The proposal that the person accepts. */
    readonly proposalId?: string;
    /** The person changed the arguments of that proposal. */
    readonly edited?: true;
    readonly transitionName: string;
    readonly toState: string;
    readonly reasoning: string;
    readonly metaJson?: JsonObject;
  }
>;

/**
 * A person decides the round, even against all proposals. Its transition follows in the same append. The context of a proposer is
 * derived from the session by `proposerContext`.
 */
export type HumanOverrideAccepted = Event<
  'HumanOverrideAccepted',
  {
    readonly arbitrationId: string;
    readonly roundId: string;
    /** The human specialist as whom the person decides; else the person. */
    readonly specialistId: string;
    readonly specialistVersion: number;
    /** The person who decides. Absent before 0.3. */
    readonly by?: string;
    /** The proposal that the person accepts. */
    readonly proposalId?: string;
    /** The person changed the arguments of that proposal. */
    readonly edited?: true;
    readonly transitionName: string;
    readonly fromState: string;
    readonly toState: string;
    readonly reasoning: string;
    readonly metaJson?: JsonObject;
    /** The scope of the alignment that the decision changes. Absent: the machine came with the session, and alignment does not change. */
    readonly scope?: AlignmentScope;
    /** The proposals of the round, in the order they arrived. */
    readonly proposals: readonly OpenProposal[];
    readonly alignment: AlignmentSnapshot;
    /** As given by the caller. */
    readonly spent?: Spending;
  }
>;

/** `state` is present if the machine declares specialists for that state. */
export interface AlignmentScope {
  readonly machineName: string;
  readonly state?: string;
}

/** Ends a round and starts the next. */
export type TransitionExecuted = Event<
  'TransitionExecuted',
  PastTransition & {
    readonly roundId: string;
    readonly nextRoundId: string;
    readonly isHuman: boolean;
    /** The arbiter, or the person who forced it; "default" for the built-in arbiter of `run`, "operator" for an operator, "timer" for a clock. */
    readonly decidedBy: string;
    /** The person who decided, or the author of an execution without a round. Absent for arbiters, and before 0.3. */
    readonly by?: string;
    /** The winning proposal, if there is one. */
    readonly proposalId?: string;
    /** The clock that decided, if one did. */
    readonly timedBy?: string;
    /** The clock of the next round, if it has one. */
    readonly clockId?: string;
    /** The other clocks of this round. */
    readonly endsClocks?: readonly string[];
  }
>;

/** The events of a session. */
export type SessionEvent =
  | SessionCreated
  | ProposalSolicited
  | ProposalSubmitted
  | ProposalSetAside
  | ProposalFailed
  | ArbitrationRequested
  | ConsensusReached
  | ConsensusNotReached
  | VerdictSetAside
  | ArbitrationFailed
  | HumanInputRequested
  | ClockStarted
  | ClockEnded
  | SessionClosed
  | SessionForked
  | ApprovalGiven
  | HumanOverrideAccepted
  | TransitionExecuted;
