import type { JsonObject, Labels, RecordedEvent } from '#lib/kernel';
import type { MachineDefinition, SpecialistVersions } from '#lib/decisions/machines';
import type { CallerInput } from './proposal.members.js';
import type { ConsensusBasis } from './consensus/consensus-question.js';
import type { Approval } from './people/approvals.js';
import type {
  ForkEffects,
  LackingSpecialist,
  OpenProposal,
  PastTransition,
  ProposerOverrides,
  SessionEvent,
} from './session.events.js';

/** One decision at one state. The n-th round of a session began after n transitions. */
export interface Round {
  readonly roundId: string;
  readonly state: string;
}

/** A solicitation that nothing has closed yet. */
export interface OpenSolicitation {
  readonly solicitationId: string;
  readonly roundId: string;
  readonly specialistId: string;
  readonly specialistVersion: number;
  readonly given: CallerInput;
}

/** An arbitration that nothing has closed yet. */
export interface OpenArbitration {
  readonly arbitrationId: string;
  readonly roundId: string;
  readonly basis: ConsensusBasis;
  readonly given: CallerInput;
}

/** The last evaluation of the current round by an arbiter that found no winner. */
export interface Judgement {
  readonly arbitrationId: string;
  readonly basis: ConsensusBasis;
  /** `needs-person`: it found a winner that people have to decide. */
  readonly outcome: 'no-consensus' | 'failed' | 'needs-person';
  readonly reasoning: string;
  readonly margin?: number;
}

/** The differences of a fork to the session that it was forked from. */
export interface Fork {
  readonly effects: ForkEffects;
  readonly specialists: { readonly [specialistId: string]: ProposerOverrides };
  /** Specialists of the log of its history file: those that are not here now decide nothing. */
  readonly lacks: readonly LackingSpecialist[];
}

/** The state of a session, as its rules need it. */
export interface Session {
  readonly sessionId: string;
  readonly machineName: string;
  readonly machine: MachineDefinition;
  /** Absent if the machine came with the session: its specialists belong to this session alone. */
  readonly machineVersion?: number;
  /** The versions of the specialists that the machine declares. */
  readonly specialistVersions: SpecialistVersions;
  readonly actorTokenHashes?: { readonly [specialistId: string]: string };
  /** It was forked from another session: its decisions are no examples, and no statistics. */
  readonly fork?: Fork;
  /** The people whom `creator` means: who created it, and who forked it, if they are known. */
  readonly creators: readonly string[];
  readonly metaJson?: JsonObject;
  readonly labels: Labels;
  readonly currentState: string;
  /** In order; the last one is the current round. */
  readonly rounds: readonly Round[];
  /** Decisions before this session. */
  readonly earlier: readonly PastTransition[];
  readonly history: readonly PastTransition[];
  /** The proposals of the current round, in the order they arrived. */
  readonly proposals: readonly OpenProposal[];
  /** The people who stated a proposal in the current round, as themselves or as another specialist. */
  readonly statedBy: readonly string[];
  /** The ids of the proposals of the current round that people stated. */
  readonly personal: readonly string[];
  /** The choices of people in the current round, if it needs several. */
  readonly approvals: readonly Approval[];
  /** The open solicitations of any round. */
  readonly solicitations: readonly OpenSolicitation[];
  /** The specialists that were asked in the current round, with any result. */
  readonly asked: readonly string[];
  /** The specialists whose answer in the current round was not a proposal: unreadable, not offered, or with arguments that do not fit. */
  readonly invalid: readonly string[];
  /** The open arbitrations of any round. */
  readonly arbitrations: readonly OpenArbitration[];
  /** The arbiter's judgement of the current round. */
  readonly judgement?: Judgement;
  /** The current round waits for a person, and nothing new was proposed since. */
  readonly awaitsHuman: boolean;
  /** An operator has ended it: its current round is not decided any more. */
  readonly isClosed: boolean;
  /** How often the current round has waited for people. */
  readonly waits: number;
  /** The last wait of the current round has expired: it takes no answers. */
  readonly isExpired: boolean;
  /** The clocks that run: that of the current round, and that of its wait. */
  readonly clocks: { readonly round?: string; readonly wait?: string };
  /** The clocks of the last wait of the current round, also those that have ended. */
  readonly waitClocks: readonly string[];
  /** How many of the last decisions were made by clocks, one after another. */
  readonly timedInARow: number;
  /** A person was asked for the current round as a spot check: only a person decides it, even when the alignment changes. */
  readonly isSpotCheck: boolean;
}

/** `null` before the session exists. */
export type SessionState = Session | null;

/** @returns the round that is being decided; every session has one. */
export function currentRound(session: Session): Round {
  return session.rounds[session.rounds.length - 1] ?? { roundId: '', state: session.currentState };
}

/** The round of this id: the current one, or a past one. */
export function findRound(session: Session, roundId: string): Round | undefined {
  return session.rounds.find((round) => round.roundId === roundId);
}

/** Revision of the event that began a round; that of the last event where none did. What was so then, the round is about. */
export function roundStart(history: readonly RecordedEvent<SessionEvent>[], roundId: string): number {
  const began = history.find(
    ({ type, data }) =>
      (type === 'SessionCreated' && data.roundId === roundId) ||
      (type === 'TransitionExecuted' && data.nextRoundId === roundId),
  );
  return (began ?? history.at(-1))?.revision ?? 0;
}
