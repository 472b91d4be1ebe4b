// The names of these events and of their members are the storage format: see `session.events.ts`.
import type { Event } from '#lib/kernel';

/** No specialist is left to decide the round: it waits for a person. */
export type HumanInputRequested = Event<
  'HumanInputRequested',
  {
    readonly roundId: string;
    readonly reason: HumanInputReason;
    /** For people: the reason why no decision was reached. */
    readonly detail: string;
    /** The clock of the wait, if it has one. */
    readonly clockId?: string;
    /** The clock of the wait before. */
    readonly endsClocks?: readonly string[];
  }
>;

/**
 * A clock has ended without a decision. Without a failure, the wait of the round has expired: it takes no answers. With one, the
 * clock was given up, or names a transition that no timer may execute.
 */
export type ClockEnded = Event<
  'ClockEnded',
  {
    readonly roundId: string;
    readonly clockId: string;
    readonly failure?: { readonly kind: string; readonly message: string };
  }
>;

/** A wait gets a clock: in a fork, where its times begin again, or by an operator who sets its times. */
export type ClockStarted = Event<
  'ClockStarted',
  {
    readonly roundId: string;
    readonly clockId: string;
    /** The clock has the times of the definition. Absent before 0.3.1, and with times set by an operator. */
    readonly timed?: true;
  }
>;

/** An operator ends the session in its present state: no round of it is decided any more. */
export type SessionClosed = Event<
  'SessionClosed',
  {
    /** The undecided round. */
    readonly roundId: string;
    readonly reason?: string;
    /** A person, or `operator`. */
    readonly by: string;
    readonly endsClocks?: readonly string[];
    /** Open solicitations and arbitrations: their runs are cancelled, and those that have not begun never begin. */
    readonly endsSolicitations?: readonly string[];
    readonly endsArbitrations?: readonly string[];
  }
>;

/** The reason why a person is asked. */
export type HumanInputReason =
  | 'no-proposals'
  | 'no-quorum'
  | 'no-arbiter'
  | 'no-consensus'
  | 'arbiter-failed'
  | 'cannot-ask'
  | 'spot-check'
  | 'needs-person'
  | 'timer-limit';
