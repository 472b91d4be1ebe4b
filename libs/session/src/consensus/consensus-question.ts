import type { ProposalRef } from './proposal-ref.js';
import type { Weighing } from './trust.js';

/** All that a built-in arbiter looks at. */
export interface ConsensusQuestion extends Weighing {
  /** Of the round, in the order they arrived. */
  readonly proposals: readonly ProposalRef[];
  /** The effective one; absent where none is set. */
  readonly threshold?: number;
}
