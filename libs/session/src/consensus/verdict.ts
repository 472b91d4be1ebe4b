import type { Spending } from '../choice.js';

/** An arbiter's verdict on a round, with its cost where the arbiter gives it. */
export type Verdict = Spending & {
  readonly consensusReached: boolean;
  /** Of an open proposal of the round, where there is consensus. */
  readonly winningProposalId?: string;
  readonly reasoning: string;
  /** From 0 to 1: how far the leading group was ahead, where the arbiter measures that. */
  readonly margin?: number;
};
