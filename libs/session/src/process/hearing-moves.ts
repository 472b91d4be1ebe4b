import { isAtRest } from '#lib/machine';
import { currentRound, type Session } from '../session.state.js';
import { missingProposers, type Move } from './next-move.rules.js';
import type { Roster } from './roster.js';

/** A move that has one proposer heard. */
export type HearingMove = Extract<Move, { readonly move: 'solicit' | 'finish-solicitation' }>;

/**
 * All that is left to do until everybody is heard who can be, each on its own: whoever is being asked, then whoever was not asked.
 * None where the session is at rest. What an arbiter makes of it is for `nextMove`.
 */
export function hearingMoves(session: Session, roster: Roster): readonly HearingMove[] {
  if (isAtRest(session.machine, session.currentState)) return [];
  const { roundId } = currentRound(session);
  const open = session.solicitations.filter((one) => one.roundId === roundId);
  return [
    ...open.map(({ solicitationId, specialistId }) => ({
      move: 'finish-solicitation' as const,
      solicitationId,
      specialistId,
    })),
    ...missingProposers(session, roster).map((specialistId) => ({ move: 'solicit' as const, specialistId })),
  ];
}
