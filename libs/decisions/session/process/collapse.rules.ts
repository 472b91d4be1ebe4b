import { ownMember, sha256 } from '#lib/kernel';
import type { CollapsePolicy, MachineDefinition } from '#lib/decisions/machines';
import { effectiveTrust, weightOf } from '../consensus/trust.js';
import { writtenQuorum } from '../consensus/quorum.js';
import { currentRound, type Session } from '../session.state.js';
import { championOf } from './champion-first.js';
import type { Roster } from './roster.js';

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
