import type { JsonObject } from '#lib/kernel';
import type { MachineDefinition } from '#lib/machine';
import type { CallerGiven, Choice } from './choice.js';

/** One decision at one state. The n-th round of a session began after n transitions. */
export interface Round {
  readonly roundId: string;
  readonly state: string;
}

export interface PastTransition {
  readonly transitionName: string;
  readonly fromState: string;
  readonly toState: string;
  readonly reasoning: string;
  readonly metaJson?: JsonObject;
}

/** A proposal that counts in the current round. */
export interface OpenProposal extends Choice {
  readonly proposalId: string;
  readonly specialistId: string;
}

/** A solicitation that nothing has closed yet. */
export interface OpenSolicitation {
  readonly solicitationId: string;
  readonly roundId: string;
  readonly specialistId: string;
  readonly given: CallerGiven;
}

/** What the rules need to know of a session. */
export interface Session {
  readonly sessionId: string;
  readonly machineName: string;
  readonly machine: MachineDefinition;
  readonly metaJson?: JsonObject;
  readonly currentState: string;
  /** In order; the last one is the current round. */
  readonly rounds: readonly Round[];
  readonly history: readonly PastTransition[];
  /** Of the current round, in the order they arrived. */
  readonly proposals: readonly OpenProposal[];
  /** Of any round. */
  readonly solicitations: readonly OpenSolicitation[];
}

/** `null` before the session exists. */
export type SessionState = Session | null;

/** @returns the round that is being decided; every session has one. */
export function currentRound(session: Session): Round {
  return session.rounds[session.rounds.length - 1] ?? { roundId: '', state: session.currentState };
}

export function findRound(session: Session, roundId: string): Round | undefined {
  return session.rounds.find((round) => round.roundId === roundId);
}
