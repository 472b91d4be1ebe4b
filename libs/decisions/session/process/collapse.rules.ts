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
 * The proposer that decides the current round alone: the champion, if the definition lets the state collapse and no quorum above
 * 1 is written. `undefined`: the round is decided as usual, also once the champion was asked and gave no proposal.
 */
function soleProposer(session: Session, roster: Roster): string | undefined {
  if (!mayCollapse(session)) return undefined;
  const champion = trustedChampion(session, roster);
  return champion !== undefined && hasGivenNone(session, champion) ? undefined : champion;
}

/** The specialists of the current round: of the proposers the champion alone, if it decides alone. */
export function roundRoster(session: Session, roster: Roster): Roster {
  const champion = soleProposer(session, roster);
  if (champion === undefined || isSpotCheck(session, roster)) return roster;
  return { ...roster, proposers: [champion], quorum: 1 };
}

/**
 * Whether a person decides the current round though a champion could decide it alone: one round in `spotCheckEvery`, chosen by the
 * round's id. Once a person was asked it stays one, whatever the alignment becomes; a champion that gives no proposal changes nothing.
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

/** Whether it was asked in this round, and the call ended without a proposal. */
function hasGivenNone(session: Session, specialistId: string): boolean {
  const { asked, proposals, solicitations } = session;
  const { roundId } = currentRound(session);
  const isOpen = solicitations.some((one) => one.roundId === roundId && one.specialistId === specialistId);
  const has = proposals.some((one) => one.specialistId === specialistId);
  return asked.includes(specialistId) && !isOpen && !has;
}
