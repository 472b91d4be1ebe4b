import type { Command, JsonObject } from '#lib/kernel';
import type { MachineDefinition } from '#lib/machine';
import type { CallerGiven, Choice } from './choice.js';
import type { SolicitationFailure } from './solicitation-failure.js';

export type CreateSession = Command<
  'CreateSession',
  {
    readonly sessionId: string;
    readonly roundId: string;
    /** Normalized and valid. */
    readonly machine: MachineDefinition;
    readonly machineVersion?: number;
    readonly metaJson?: JsonObject;
  }
>;

/** Asks one proposer for one proposal. */
export type SolicitProposal = Command<
  'SolicitProposal',
  {
    readonly sessionId: string;
    readonly solicitationId: string;
    readonly specialistId: string;
    /** Default: the current round. */
    readonly roundId?: string;
    readonly given: CallerGiven;
  }
>;

/** States a proposal outright. */
export type SubmitProposal = Command<
  'SubmitProposal',
  CallerGiven & {
    readonly sessionId: string;
    readonly proposalId: string;
    readonly specialistId: string;
    readonly isHuman: boolean;
    readonly roundId?: string;
    readonly transitionName: string;
  }
>;

/** Brings the end of a solicitation into its session. */
export type CloseSolicitation = Command<
  'CloseSolicitation',
  {
    readonly sessionId: string;
    readonly solicitationId: string;
    readonly proposalId: string;
    readonly result: { readonly choice: Choice } | { readonly failure: SolicitationFailure };
  }
>;

export type ExecuteTransition = Command<
  'ExecuteTransition',
  {
    readonly sessionId: string;
    readonly roundId?: string;
    readonly nextRoundId: string;
    readonly transitionName: string;
    readonly toState: string;
    readonly reasoning?: string;
    readonly metaJson?: JsonObject;
    /** An open proposal of the round that this grants. It must be for this transition; it fills reasoning and metaJson. */
    readonly proposalId?: string;
  }
>;

export type SessionCommand =
  CreateSession | SolicitProposal | SubmitProposal | CloseSolicitation | ExecuteTransition;
