import type { Escalated } from '#lib/candidates';
import type { Command, JsonObject, Labels } from '#lib/kernel';
import type { MachineDefinition, SpecialistVersions } from '#lib/decisions/machines';
import type { Choice } from './choice.js';
import type { CallerInput } from './proposal.members.js';
import type { AlignmentSnapshot } from './consensus/alignment-snapshot.js';
import type { ArbiterRef, Verdict } from './consensus/consensus-question.js';
import type { HumanInputReason, PastTransition, SessionForked } from './session.events.js';
import type { ArbitrationFailure, SolicitationFailure } from './failures.js';

/** Starts a session of a machine. */
export type CreateSession = Command<
  'CreateSession',
  Labels & {
    readonly sessionId: string;
    readonly roundId: string;
    /** Normalized and valid. */
    readonly machine: MachineDefinition;
    readonly machineVersion?: number;
    /** The version in the caller's request. Only with a key. */
    readonly askedVersion?: number;
    readonly specialistVersions?: SpecialistVersions;
    readonly actorTokenHashes?: { readonly [specialistId: string]: string };
    /** The person who creates it. Absent if the caller is none. */
    readonly by?: string;
    readonly metaJson?: JsonObject;
    /** Decisions before this session, oldest first. */
    readonly earlier?: readonly PastTransition[];
  }
>;

/** Asks one proposer for one proposal. */
export type SolicitProposal = Command<
  'SolicitProposal',
  {
    readonly sessionId: string;
    readonly solicitationId: string;
    readonly specialistId: string;
    readonly specialistVersion: number;
    /** The person who requests the proposal. Absent if the caller is none. */
    readonly by?: string;
    /** Default: the current round. Refused if the round is over: its proposal could not count. */
    readonly roundId?: string;
    readonly given: CallerInput;
    /** Refused if the proposer was asked in this round before, with any result. */
    readonly unlessAsked?: boolean;
  }
>;

/** States a proposal without asking its proposer. */
export type SubmitProposal = Command<
  'SubmitProposal',
  CallerInput & {
    readonly sessionId: string;
    readonly proposalId: string;
    readonly specialistId: string;
    readonly specialistVersion: number;
    readonly isHuman: boolean;
    /** The person who states it, as themselves or as another specialist. Absent if the caller is none. */
    readonly by?: string;
    readonly roundId?: string;
    readonly transitionName: string;
  }
>;

/** Records the end of a solicitation in its session. */
export type CloseSolicitation = Command<
  'CloseSolicitation',
  {
    readonly sessionId: string;
    readonly solicitationId: string;
    readonly proposalId: string;
    readonly result:
      | { readonly choice: Choice }
      /** `costUSD`: of the calls without a result. */
      | { readonly failure: SolicitationFailure; readonly costUSD?: number };
  }
>;

/** Executes a transition without a round: for operators and people. */
export type ExecuteTransition = Command<
  'ExecuteTransition',
  {
    readonly sessionId: string;
    readonly roundId?: string;
    readonly nextRoundId: string;
    /** The author of the execution: a person, or `operator`. */
    readonly by?: string;
    readonly transitionName: string;
    readonly toState: string;
    readonly reasoning?: string;
    readonly metaJson?: JsonObject;
    /** The open proposal of the round that this executes. It must be for this transition; it gives reasoning and metaJson. */
    readonly proposalId?: string;
  }
>;

/** Requests a decision of the current round: by an arbiter, or, with a transition, by the human who forces it. */
export type SubmitArbitration = Command<
  'SubmitArbitration',
  CallerInput & {
    readonly sessionId: string;
    readonly arbitrationId: string;
    readonly nextRoundId: string;
    /** Default: the current round. */
    readonly roundId?: string;
    /** The specialist that submits it, if it is one. */
    readonly specialistId?: string;
    /** Its version in the round. */
    readonly specialistVersion?: number;
    /** That specialist is a human with proved identity. */
    readonly isHuman: boolean;
    /** The person who forces a transition. */
    readonly by?: string;
    /** The groups of this person. */
    readonly groups?: readonly string[];
    /** The only person who may answer the task of the round. */
    readonly assignee?: string;
    /** The candidates that escalations have added. */
    readonly escalated?: Escalated;
    /** The transition to force. */
    readonly transitionName?: string;
    /** The open proposal that a person accepts: its transition is forced, with its arguments unless others are given. */
    readonly proposalId?: string;
    /** The proposals that the person saw: if others are open, the decision is refused. */
    readonly shown?: readonly string[];
    /** The arbiter; absent if the machine has none. */
    readonly arbiter?: ArbiterRef;
    readonly alignment: AlignmentSnapshot;
    /** The number of proposals that a decision needs if the machine states no quorum. Absent: one. */
    readonly quorum?: number;
    /** Asks no arbiter again on a basis that it has judged, or failed to judge. */
    readonly unlessJudged?: boolean;
  }
>;

/** Records the end of an arbitration in its session. */
export type CloseArbitration = Command<
  'CloseArbitration',
  {
    readonly sessionId: string;
    readonly arbitrationId: string;
    readonly nextRoundId: string;
    readonly result: { readonly verdict: Verdict } | { readonly failure: ArbitrationFailure };
    /** A proposal below the trust policy does not win. Absent before 0.3, when the arbiter's verdict was not checked. */
    readonly bindsTrust?: true;
  }
>;

/** Asks for a person to decide the round. */
export type RequestHumanInput = Command<
  'RequestHumanInput',
  {
    readonly sessionId: string;
    readonly roundId: string;
    /** The number of the round's proposals when no proposer was left: a newer proposal makes the command void. */
    readonly proposalsSeen: number;
    readonly reason: HumanInputReason;
    readonly detail: string;
  }
>;

/** Records the end of a clock in its session. */
export type TakeTime = Command<
  'TakeTime',
  {
    readonly sessionId: string;
    readonly clockId: string;
    readonly nextRoundId: string;
    /** The transition that the clock executes, if it has one; or the failure of a clock that ended before its time. */
    readonly result:
      | { readonly transition?: string }
      | { readonly failure: { readonly kind: string; readonly message: string } };
  }
>;

/** Starts a clock for a wait without times. */
export type StartClock = Command<'StartClock', { readonly sessionId: string; readonly roundId: string }>;

/** Ends a session in its present state. */
export type CloseSession = Command<
  'CloseSession',
  {
    readonly sessionId: string;
    readonly reason?: string;
    /** A person, or `operator`. */
    readonly by: string;
  }
>;

/**
 * Begins the own events of a fork, after the copies. A machine is normalized and valid. With `lacks`, the parent is in another log,
 * whose runs and registrations are not in this one.
 */
export type ForkSession = Command<
  'ForkSession',
  Pick<
    SessionForked['data'],
    'effects' | 'by' | 'freshRound' | 'machine' | 'metaJson' | 'specialists' | 'lacks'
  > & {
    readonly sessionId: string;
  }
>;

/** The commands of a session. */
export type SessionCommand =
  | CreateSession
  | SolicitProposal
  | SubmitProposal
  | CloseSolicitation
  | SubmitArbitration
  | CloseArbitration
  | RequestHumanInput
  | TakeTime
  | CloseSession
  | StartClock
  | ForkSession
  | ExecuteTransition;
