import type { Session } from '../session.state.js';
import { CHAMPION_SCORE } from './champion-first.js';

/** A proposer of the round, with its alignment. */
export interface AskedProposer {
  readonly score: number;
  /** The number of its proposals in rounds that a person decided. */
  readonly comparisons: number;
}

/**
 * Whether the enabled proposers are trusted too little to decide alone: one of them has comparisons with people, and none is a
 * champion. Without any comparison disabled proposers stay disabled.
 */
export function isTripped(proposers: readonly AskedProposer[]): boolean {
  const isCompared = proposers.some(({ comparisons }) => comparisons > 0);
  return isCompared && proposers.every(({ score }) => score < CHAMPION_SCORE);
}

/** Whether all enabled proposers answered in this round without a proposal. */
export function areAllInvalid({ invalid }: Pick<Session, 'invalid'>, proposers: readonly string[]): boolean {
  return proposers.length > 0 && proposers.every((specialistId) => invalid.includes(specialistId));
}
