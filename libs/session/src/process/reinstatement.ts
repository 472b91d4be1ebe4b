import type { Session } from '../session.state.js';
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

/** Whether all enabled proposers answered in this round without a proposal. */
export function areAllInvalid({ invalid }: Pick<Session, 'invalid'>, proposers: readonly string[]): boolean {
  return proposers.length > 0 && proposers.every((specialistId) => invalid.includes(specialistId));
}
