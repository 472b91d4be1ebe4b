// The names of these events and of their members are the storage format: logs of every release hold them.
// Add members as optional ones; to rename or to change a meaning, raise the version and write an upcaster.
import type { EventDefinitions } from '#lib/event-store';
import type { Event, JsonObject } from '#lib/kernel';
import type { MachineDefinition } from '#lib/machine';
import type { CallerGiven, Choice } from './choice.js';
import type { SolicitationFailure } from './solicitation-failure.js';

/** With the whole normalized machine, so that the stream explains itself. */
export type SessionCreated = Event<
  'SessionCreated',
  {
    readonly sessionId: string;
    readonly machineName: string;
    /** Absent where the machine came with the command. */
    readonly machineVersion?: number;
    readonly machineHash: string;
    readonly initialState: string;
    readonly roundId: string;
    readonly metaJson?: JsonObject;
    readonly machine: MachineDefinition;
  }
>;

/** A proposer is being asked. One open for each specialist and round; closed by exactly one of the three events below. */
export type ProposalSolicited = Event<
  'ProposalSolicited',
  {
    readonly solicitationId: string;
    readonly roundId: string;
    readonly specialistId: string;
    /** What the caller wants the proposal to say, whatever the proposer says. */
    readonly given: CallerGiven;
  }
>;

interface ProposalData extends Choice {
  readonly proposalId: string;
  readonly roundId: string;
  readonly specialistId: string;
  readonly isHuman: boolean;
  /** Absent where a caller stated the choice. */
  readonly solicitationId?: string;
}

export type ProposalSubmitted = Event<'ProposalSubmitted', ProposalData>;

/** Kept, and never counted. */
export type ProposalSetAside = Event<
  'ProposalSetAside',
  ProposalData & {
    /** `late`: its round is over. `duplicate`: the specialist has a proposal in the round. `invalid`: not offered there. */
    readonly reason: 'late' | 'duplicate' | 'invalid';
  }
>;

export type ProposalFailed = Event<
  'ProposalFailed',
  {
    readonly solicitationId: string;
    readonly roundId: string;
    readonly specialistId: string;
    readonly failure: SolicitationFailure;
  }
>;

/** Ends a round and starts the next. */
export type TransitionExecuted = Event<
  'TransitionExecuted',
  {
    readonly roundId: string;
    readonly nextRoundId: string;
    readonly transitionName: string;
    readonly fromState: string;
    readonly toState: string;
    readonly reasoning: string;
    readonly metaJson?: JsonObject;
    readonly isHuman: boolean;
    /** The proposal that won, where one did. */
    readonly proposalId?: string;
  }
>;

export type SessionEvent =
  | SessionCreated
  | ProposalSolicited
  | ProposalSubmitted
  | ProposalSetAside
  | ProposalFailed
  | TransitionExecuted;

export const sessionEventDefinitions: EventDefinitions<SessionEvent> = {
  SessionCreated: { version: 1 },
  ProposalSolicited: { version: 1 },
  ProposalSubmitted: { version: 1 },
  ProposalSetAside: { version: 1 },
  ProposalFailed: { version: 1 },
  TransitionExecuted: { version: 1 },
};
