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
  ProposalSolicited,
  ProposerOverrides,
  SessionEvent,
} from './session.events.js';

/** One decision at one state. The n-th round of a session began after n transitions. */
export interface Round {
  readonly roundId: string;
  readonly state: string;
}

/** A requested proposal without an end. */
export type OpenSolicitation = Omit<ProposalSolicited['data'], 'by'>;

/** A requested arbitration without an end. */
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
  /** `needs-person`: its winner needs people. */
  readonly outcome: 'no-consensus' | 'failed' | 'needs-person';
  readonly reasoning: string;
  readonly margin?: number;
}

/** The differences of a fork from its parent. */
export interface Fork {
  readonly effects: ForkEffects;
  readonly specialists: { readonly [specialistId: string]: ProposerOverrides };
  /** Specialists of a history file's log: they decide only if this log has them now. */
  readonly lacks: readonly LackingSpecialist[];
}

/** The state that the rules of a session need. */
export interface Session {
  readonly sessionId: string;
  readonly machineName: string;
  readonly machine: MachineDefinition;
  /** Absent if the machine came with the session: its specialists belong to this session alone. */
  readonly machineVersion?: number;
  /** The versions of the specialists that the machine declares. */
  readonly specialistVersions: SpecialistVersions;
  readonly actorTokenHashes?: { readonly [specialistId: string]: string };
  /** Present in a fork: its decisions are no examples, and count in no statistics. */
  readonly fork?: Fork;
  /** The people excluded as `creator`: the known ones who created the session or forked it. */
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
  /** The ids of the current round's proposals that people stated. */
  readonly personal: readonly string[];
  /** The choices of people in the current round, if it needs several. */
  readonly approvals: readonly Approval[];
  /** The open solicitations of any round. */
  readonly solicitations: readonly OpenSolicitation[];
  /** The specialists asked in the current round, with any result. */
  readonly asked: readonly string[];
  /** The specialists whose answer in the current round was no proposal: unreadable, not offered, or with arguments that do not fit. */
  readonly invalid: readonly string[];
  /** The open arbitrations of any round. */
  readonly arbitrations: readonly OpenArbitration[];
  /** The arbiter's judgement of the current round. */
  readonly judgement?: Judgement;
  /** The current round waits for a person, and no proposal came since. */
  readonly awaitsHuman: boolean;
  /** An operator has ended the session: its current round is not decided any more. */
  readonly isClosed: boolean;
  /** The number of the current round's waits for people. */
  readonly waits: number;
  /** The last wait of the current round has expired: it takes no answers. */
  readonly isExpired: boolean;
  /** The open clocks: of the current round, and of its wait. */
  readonly clocks: { readonly round?: string; readonly wait?: string };
  /** The clocks of the current round's last wait, with ended ones. */
  readonly waitClocks: readonly string[];
  /** The number of the last decisions made by clocks in a row. */
  readonly timedInARow: number;
  /** A person was asked in the current round as a spot check: only a person decides it, even if the alignment changes. */
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

/** The revision of the event that began a round; without one that of the last event. The context of the round is the session at this revision. */
export function roundStart(history: readonly RecordedEvent<SessionEvent>[], roundId: string): number {
  const began = history.find(
    ({ type, data }) =>
      (type === 'SessionCreated' && data.roundId === roundId) ||
      (type === 'TransitionExecuted' && data.nextRoundId === roundId),
  );
  return (began ?? history.at(-1))?.revision ?? 0;
}
