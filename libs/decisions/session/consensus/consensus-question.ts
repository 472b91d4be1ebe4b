import type { TrustPolicy } from '#lib/decisions/machines';
import type { Spending } from '../proposal.members.js';
import type { AlignmentSnapshot } from './alignment-snapshot.js';
import type { Weighing } from './trust.js';

/** The authors of each choice. */
export interface ProposalRef {
  readonly proposalId: string;
  readonly specialistId: string;
  readonly specialistVersion: number;
  readonly isHuman: boolean;
  readonly transitionName: string;
}

/** How a round refers to its arbiter: by name, built in or registered, or by its webhook. */
export interface ArbiterRef {
  readonly specialistId: string;
  readonly specialistVersion: number;
  readonly strategyFnName?: string;
  readonly strategyWebhookUrl?: string;
  readonly webhookTokenName?: string;
  /** Its own; that of the state or the machine overrides it. */
  readonly threshold?: number;
  /** Its own; that of the state or the machine replaces it. */
  readonly trust?: TrustPolicy;
}

/** The input of a built-in arbiter. */
export interface ConsensusQuestion extends Weighing {
  /** The proposals of the round, in the order they arrived. */
  readonly proposals: readonly ProposalRef[];
  /** The effective one; absent if none is set. */
  readonly threshold?: number;
}

/** All that an arbiter saw, as the event of its verdict keeps it: enough to evaluate a built-in arbiter again. */
export interface ConsensusBasis {
  readonly arbiter: ArbiterRef;
  /** In the order they arrived. */
  readonly proposals: readonly ProposalRef[];
  readonly alignment: AlignmentSnapshot;
  /** The effective one: the state's, else the machine's, else the arbiter's own, else its built-in strategy's. */
  readonly threshold?: number;
  /** The effective one; absent if none is set. */
  readonly trust?: TrustPolicy;
  /** The proposals that the decision needed; absent if the machine states none and a caller asked for the arbitration. */
  readonly quorum?: number;
}

/** An arbiter's verdict on a round, with its cost if the arbiter gives it. */
export type Verdict = Spending & {
  readonly consensusReached: boolean;
  /** An open proposal of the round, if there is consensus. */
  readonly winningProposalId?: string;
  readonly reasoning: string;
  /** From 0 to 1: how far the leading group was ahead, if the arbiter measures that. */
  readonly margin?: number;
};
