import type { AlignmentSnapshot } from '../consensus/alignment-snapshot.js';
import type { ArbiterRef } from '../consensus/consensus-question.js';

/** The specialists that can be asked about a round without a person. */
export interface Roster {
  /** Enabled proposers that are not humans, in the order in which they are asked. */
  readonly proposers: readonly string[];
  readonly arbiter?: ArbiterRef;
  readonly alignment: AlignmentSnapshot;
  /** How many proposals a decision of the round needs. */
  readonly quorum: number;
  /** Specialists without which only a person decides the round. */
  readonly lacks?: readonly string[];
}
