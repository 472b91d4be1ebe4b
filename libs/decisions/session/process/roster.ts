import type { AlignmentSnapshot } from '../consensus/alignment-snapshot.js';
import type { ArbiterRef } from '../consensus/consensus-question.js';

/** The specialists of a round that can be asked without a person. */
export interface Roster {
  /** Enabled non-human proposers, in the order of asking. */
  readonly proposers: readonly string[];
  readonly arbiter?: ArbiterRef;
  readonly alignment: AlignmentSnapshot;
  /** The number of proposals that a decision of the round needs. */
  readonly quorum: number;
  /** Missing specialists: while one is missing, only a person decides the round. */
  readonly lacks?: readonly string[];
}
