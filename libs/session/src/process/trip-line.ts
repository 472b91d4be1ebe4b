import { CHAMPION_SCORE } from './champion-first.js';

/** A proposer that is being asked, and what is known of it. */
export interface AskedProposer {
  readonly score: number;
  /** How often a person decided where it had proposed. */
  readonly comparisons: number;
}

/**
 * Whether those who are left are trusted too little to be left alone: somebody among them was compared with people, and nobody
 * is a champion. Where nothing was compared yet nothing was learned, and whoever was disabled stays so.
 */
export function isTripped(proposers: readonly AskedProposer[]): boolean {
  const isCompared = proposers.some(({ comparisons }) => comparisons > 0);
  return isCompared && proposers.every(({ score }) => score < CHAMPION_SCORE);
}
