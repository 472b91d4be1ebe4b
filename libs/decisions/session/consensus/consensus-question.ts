import type { TrustPolicy } from '#lib/decisions/machines';
import type { Spending } from '../proposal.members.js';
import type { AlignmentSnapshot } from './alignment-snapshot.js';
import type { Weighing } from './trust.js';

/** A proposal as an arbiter weighs it: its author and its choice. */
export interface ProposalRef {
  readonly proposalId: string;
  readonly specialistId: string;
  readonly specialistVersion: number;
  readonly isHuman: boolean;
  readonly transitionName: string;
}

/** The reference to an arbiter in a round: by name, built in or registered, or by webhook. */
export interface ArbiterRef {
  readonly specialistId: string;
  readonly specialistVersion: number;
  readonly strategyFnName?: string;
  readonly strategyWebhookUrl?: string;
  readonly webhookTokenName?: string;
  /** The arbiter's own; that of the state or the machine overrides it. */
  readonly threshold?: number;
  /** The arbiter's own; that of the state or the machine replaces it. */
  readonly trust?: TrustPolicy;
}

/** The input of a built-in arbiter. */
export interface ConsensusQuestion extends Weighing {
  /** The proposals of the round, in the order they arrived. */
  readonly proposals: readonly ProposalRef[];
  /** The effective threshold; absent if none is set. */
  readonly threshold?: number;
}

/** The input of an arbiter, as the event of its verdict holds it: enough to evaluate a built-in arbiter again. */
export interface ConsensusBasis {
  readonly arbiter: ArbiterRef;
  /** In the order they arrived. */
  readonly proposals: readonly ProposalRef[];
  readonly alignment: AlignmentSnapshot;
  /** The effective threshold: the state's, else the machine's, else the arbiter's own, else its built-in strategy's. */
  readonly threshold?: number;
  /** The effective policy; absent if none is set. */
  readonly trust?: TrustPolicy;
  /** The number of proposals that the decision needed; absent if the machine states none and a caller asked for the arbitration. */
  readonly quorum?: number;
}

/** An arbiter's verdict on a round, with its cost if the arbiter reports it. */
export type Verdict = Spending & {
  readonly consensusReached: boolean;
  /** An open proposal of the round, if there is consensus. */
  readonly winningProposalId?: string;
  readonly reasoning: string;
  /** From 0 to 1: the lead of the best group, if the arbiter measures it. */
  readonly margin?: number;
};
