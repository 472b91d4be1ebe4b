import { ownMember } from '#lib/kernel';
import { isAtRest } from '#lib/decisions/machines';
import { currentRound, type Session } from '../session.state.js';
import { roundRoster } from './collapse.rules.js';
import { missingProposers, type Move, nextMove } from './next-move.rules.js';
import type { Roster } from './roster.js';

/** The pace of a loop through a round. */
export type Pace =
  /**
   * Asks one proposer, or all at the same time if the machine says so; then the arbiter evaluates the proposals. Asks for a
   * person when no proposer is left.
   */
  | 'step'
  /** Asks every proposer at the same time; then the arbiter evaluates the proposals, then a person is asked. */
  | 'round';

/** The progress of a loop. */
export interface LoopProgress {
  readonly pace: Pace;
  /** The round in which the loop began: it ends with this round. */
  readonly roundId: string;
  /** The loop has asked a proposer, or waited for one. */
  readonly hasAsked: boolean;
  /** The last move asked for a person. */
  readonly hasCalledHuman: boolean;
  /** Proposers that this process cannot ask: they count as failed. */
  readonly cannotAsk: readonly string[];
}

/** Moves before which a step ends once it has asked a proposer: they belong to the next step. */
const NEXT_STEP: readonly Move['move'][] = ['solicit', 'finish-solicitation', 'ask-human'];

/**
 * The moves that the loop makes now, all at the same time; empty at its end. Evaluated again after every move, so it takes
 * account of concurrent callers.
 */
export function loopMoves(session: Session, roster: Roster, progress: LoopProgress): readonly Move[] {
  const { pace, roundId, hasAsked, hasCalledHuman, cannotAsk } = progress;
  if (hasCalledHuman || currentRound(session).roundId !== roundId) return [];
  const hearsAll = (pace === 'round' || asksTogether(session)) && !roster.lacks;
  const hearing = hearsAll ? hearingMoves(session, roster, cannotAsk) : [];
  if (hearing.length > 0) return pace === 'step' && hasAsked ? [] : hearing;
  const move = nextMove(session, roster, cannotAsk);
  if (move.move === 'rest' || (pace === 'step' && hasAsked && NEXT_STEP.includes(move.move))) return [];
  return [move];
}

/** The definition's order of asking: the state's, else the machine's. */
function asksTogether({ machine, currentState }: Session): boolean {
  return (ownMember(machine.states, currentState)?.ask ?? machine.ask) === 'together';
}

/** The moves until all available proposers have answered: first open solicitations, then new ones. */
function hearingMoves(session: Session, roster: Roster, cannotAsk: readonly string[]): readonly Move[] {
  if (session.isClosed || isAtRest(session.machine, session.currentState)) return [];
  const { roundId } = currentRound(session);
  const open = session.solicitations.filter((one) => one.roundId === roundId);
  const missing = missingProposers(session, roundRoster(session, roster)).filter(
    (id) => !cannotAsk.includes(id),
  );
  return [
    ...open.map(({ solicitationId, specialistId }) => ({
      move: 'finish-solicitation' as const,
      solicitationId,
      specialistId,
    })),
    ...missing.map((specialistId) => ({ move: 'solicit' as const, specialistId })),
  ];
}
