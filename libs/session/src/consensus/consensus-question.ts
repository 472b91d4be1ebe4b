import type { AlignmentSnapshot } from './alignment-snapshot.js';
import type { ProposalRef } from './proposal-ref.js';

/** All that a built-in arbiter looks at. */
export interface ConsensusQuestion {
  /** Of the round, in the order they arrived. */
  readonly proposals: readonly ProposalRef[];
  readonly alignment: AlignmentSnapshot;
  /** The effective one; absent where nobody set any. */
  readonly threshold?: number;
}
