import type { TrustPolicy } from '#lib/machine';
import type { Spending } from '../choice.js';
import type { Weighing } from './trust.js';

/** The authors of each choice. */
export interface ProposalRef {
  readonly proposalId: string;
  readonly specialistId: string;
  readonly specialistVersion: number;
  readonly isHuman: boolean;
  readonly transitionName: string;
}

/** An arbiter as a round is put before it: by name, built in or registered, or behind a webhook. */
export interface ArbiterRef {
  readonly specialistId: string;
  readonly specialistVersion: number;
  readonly strategyFnName?: string;
  readonly strategyWebhookUrl?: string;
  readonly webhookTokenName?: string;
  /** Its own; a state's and the machine's stand above it. */
  readonly threshold?: number;
  /** Its own; a state's and the machine's replace it. */
  readonly trust?: TrustPolicy;
}

/** All that a built-in arbiter looks at. */
export interface ConsensusQuestion extends Weighing {
  /** Of the round, in the order they arrived. */
  readonly proposals: readonly ProposalRef[];
  /** The effective one; absent where none is set. */
  readonly threshold?: number;
}

/** An arbiter's verdict on a round, with its cost where the arbiter gives it. */
export type Verdict = Spending & {
  readonly consensusReached: boolean;
  /** Of an open proposal of the round, where there is consensus. */
  readonly winningProposalId?: string;
  readonly reasoning: string;
  /** From 0 to 1: how far the leading group was ahead, where the arbiter measures that. */
  readonly margin?: number;
};
