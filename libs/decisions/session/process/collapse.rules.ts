import { ownMember, sha256 } from '#lib/kernel';
import type { CollapsePolicy, MachineDefinition } from '#lib/decisions/machines';
import { effectiveTrust, weightOf } from '../consensus/trust.js';
import { writtenQuorum } from '../consensus/quorum.js';
import { currentRound, type Session } from '../session.state.js';
import type { Roster } from './roster.js';
import type { AlignmentScore } from '../consensus/alignment-snapshot.js';

/** The state's policy, else the machine's. */
function collapsePolicy({
  machine,
  currentState,
}: {
  readonly machine: MachineDefinition;
  readonly currentState: string;
}): CollapsePolicy | undefined {
  return ownMember(machine.states, currentState)?.collapse ?? machine.collapse;
}

/**
 * The proposer that decides the current round alone: the champion, if the definition has a collapse policy and no quorum above 1.
 * `undefined`: the round is decided as usual, also once the champion was asked and gave no proposal.
 */
function soleProposer(session: Session, roster: Roster): string | undefined {
  if (!mayCollapse(session)) return undefined;
  const champion = trustedChampion(session, roster);
  return champion !== undefined && hasGivenNone(session, champion) ? undefined : champion;
}

/** The roster of the current round: with the champion as the only proposer, if it decides alone. */
export function roundRoster(session: Session, roster: Roster): Roster {
  const champion = soleProposer(session, roster);
  if (champion === undefined || isSpotCheck(session, roster)) return roster;
  return { ...roster, proposers: [champion], quorum: 1 };
}

/**
 * Whether the current round is a spot check: a person decides it although a champion could. One round in `spotCheckEvery` is
 * chosen by its id. Once a person was asked it stays one, whatever the alignment becomes; a champion without a proposal does not
 * end it.
 */
export function isSpotCheck(session: Session, roster: Roster): boolean {
  if (session.isSpotCheck) return true;
  const { spotCheckEvery } = collapsePolicy(session) ?? {};
  if (spotCheckEvery === undefined || !mayCollapse(session)) return false;
  if (trustedChampion(session, roster) === undefined) return false;
  const { roundId } = currentRound(session);
  return Number.parseInt(sha256(roundId).slice(0, 8), 16) % spotCheckEvery === 0;
}

function mayCollapse(session: Session): boolean {
  return collapsePolicy(session) !== undefined && (writtenQuorum(session) ?? 1) <= 1;
}

function trustedChampion(session: Session, { proposers, arbiter, alignment }: Roster): string | undefined {
  const trust = effectiveTrust(session, arbiter ?? {});
  const weighing = { alignment, ...(trust && { trust }) };
  const scores = alignment.scores.map((one) => ({
    ...one,
    score: weightOf({ ...one, isHuman: false }, weighing),
  }));
  return championOf(proposers, scores);
}

/** Whether the specialist was asked in this round, and its solicitation ended without a proposal. */
function hasGivenNone(session: Session, specialistId: string): boolean {
  const { asked, proposals, solicitations } = session;
  const { roundId } = currentRound(session);
  const isOpen = solicitations.some((one) => one.roundId === roundId && one.specialistId === specialistId);
  const has = proposals.some((one) => one.specialistId === specialistId);
  return asked.includes(specialistId) && !isOpen && !has;
}

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

/** The lowest score of a champion. */
export const CHAMPION_SCORE = 0.8;

/** The proposer with the highest alignment, if that is high enough; the first of equals. */
export function championOf(
  proposers: readonly string[],
  scores: readonly AlignmentScore[],
): string | undefined {
  const scored = proposers.map((specialistId) => ({ specialistId, score: scoreOf(specialistId, scores) }));
  const [best] = scored.toSorted((a, b) => b.score - a.score);
  return best && best.score >= CHAMPION_SCORE ? best.specialistId : undefined;
}

/** The champion, then the other proposers in the order given. */
export function championFirst(
  proposers: readonly string[],
  scores: readonly AlignmentScore[],
): readonly string[] {
  const champion = championOf(proposers, scores);
  if (champion === undefined) return proposers;
  return [champion, ...proposers.filter((specialistId) => specialistId !== champion)];
}

function scoreOf(specialistId: string, scores: readonly AlignmentScore[]): number {
  return scores.find((one) => one.specialistId === specialistId)?.score ?? 0;
}
