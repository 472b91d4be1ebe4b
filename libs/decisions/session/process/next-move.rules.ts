import { isAtRest } from '#lib/decisions/machines';
import { consensusBasis, sameBasis } from '../consensus/consensus-basis.js';
import { quorumShortfall } from '../consensus/quorum.js';
import type { HumanInputReason } from '../session.events.js';
import { approvalsNeeded, weighedProposals } from '../people/needs-person.rules.js';
import { currentRound, type Session } from '../session.state.js';
import { isSpotCheck, roundRoster } from './collapse.rules.js';
import { whyLacking } from './lacking-specialists.js';
import type { Roster } from './roster.js';

/** One step of a session. */
export type Move =
  | { readonly move: 'rest' }
  /** put the proposals before the arbiter */
  | { readonly move: 'arbitrate' }
  /** ask this proposer, who was not asked in this round */
  | { readonly move: 'solicit'; readonly specialistId: string }
  /** an arbiter or a proposer is being asked: wait for its answer */
  | { readonly move: 'finish-arbitration'; readonly arbitrationId: string }
  | { readonly move: 'finish-solicitation'; readonly solicitationId: string; readonly specialistId: string }
  /** no move is left without a person */
  | { readonly move: 'ask-human'; readonly reason: HumanInputReason; readonly detail: string };

/**
 * The next step, in this order: arbitrate two proposals or more, or the only one if every proposer was asked and has answered,
 * unless the arbiter judged the same basis before; ask a proposer that was not asked; wait for an open solicitation; ask a
 * person. If the champion decides alone, only it is asked; a spot check goes to a person once every proposer was asked. No
 * specialist is asked twice in a round. With fewer proposals than the quorum there is no arbitration: a failed proposer does not
 * make a decision easier.
 * @param cannotAsk proposers that this process cannot ask (no key, no such function): they count as failed, and a lone proposal
 * is not decided without them
 */
export function nextMove(session: Session, all: Roster, cannotAsk: readonly string[] = []): Move {
  if (session.isClosed || isAtRest(session.machine, session.currentState)) return { move: 'rest' };
  const { roundId } = currentRound(session);
  const arbitration = session.arbitrations.find((one) => one.roundId === roundId);
  if (arbitration) return { move: 'finish-arbitration', arbitrationId: arbitration.arbitrationId };
  if (all.lacks) return { move: 'ask-human', reason: 'cannot-ask', detail: whyLacking(all.lacks) };
  const roster = roundRoster(session, all);
  if (session.isExpired && session.awaitsHuman) return { move: 'ask-human', ...EXPIRED };
  const missing = missingProposers(session, roster);
  const specialistId = missing.find((id) => !cannotAsk.includes(id));
  const open = session.solicitations.find((one) => one.roundId === roundId);
  const isEverybodyHeard = missing.length === 0 && open === undefined;
  if (canArbitrate(session, roster, isEverybodyHeard)) return { move: 'arbitrate' };
  if (isLeftToPeople(session)) return { move: 'ask-human', ...whyHuman(session, roster, missing) };
  if (specialistId !== undefined) return { move: 'solicit', specialistId };
  if (open)
    return {
      move: 'finish-solicitation',
      solicitationId: open.solicitationId,
      specialistId: open.specialistId,
    };
  return { move: 'ask-human', ...whyHuman(session, roster, missing) };
}

/** The wait has expired, and no proposal came since: an operator decides. */
const EXPIRED = { reason: 'no-consensus', detail: 'the wait for people has expired' } as const;

/** Proposers that were not asked in this round, in the order of asking. */
export function missingProposers(session: Session, { proposers }: Roster): readonly string[] {
  const proposed = session.proposals.map(({ specialistId }) => specialistId);
  return proposers.filter((id) => !session.asked.includes(id) && !proposed.includes(id));
}

/** The arbiter chose a transition that needs a person, and no proposal that it weighs came since. */
function isLeftToPeople(session: Session): boolean {
  const { judgement } = session;
  const isLeft = judgement?.outcome === 'needs-person';
  return isLeft && judgement.basis.proposals.length === weighedProposals(session).length;
}

function canArbitrate(session: Session, roster: Roster, isEverybodyHeard: boolean): boolean {
  const { proposals, judgement } = session;
  const { arbiter, alignment, quorum } = roster;
  if (isSpotCheck(session, roster) || approvalsNeeded(session) > 1) return false;
  const weighed = weighedProposals(session).length;
  const isTime = weighed >= 2 || (isEverybodyHeard && weighed === 1);
  if (!isTime || !arbiter || proposals.length < quorum) return false;
  return !judgement || !sameBasis(judgement.basis, consensusBasis(session, arbiter, alignment));
}

function whyHuman(
  session: Session,
  roster: Roster,
  missing: readonly string[],
): { readonly reason: HumanInputReason; readonly detail: string } {
  const { proposals, judgement } = session;
  const { arbiter, quorum } = roster;
  const needed = approvalsNeeded(session);
  if (isLeftToPeople(session)) return { reason: 'needs-person', detail: judgement?.reasoning ?? '' };
  if (missing.length > 0)
    return { reason: 'cannot-ask', detail: `${missing.join(', ')} cannot be asked by this process` };
  if (weighedProposals(session).length === 0)
    return { reason: 'no-proposals', detail: 'no proposer gave a proposal' };
  if (isSpotCheck(session, roster))
    return {
      reason: 'spot-check',
      detail: 'a person decides this round, as one of many: it is a spot check',
    };
  if (needed > 1) return { reason: 'needs-person', detail: `the round needs ${needed} people` };
  if (!arbiter)
    return { reason: 'no-arbiter', detail: 'no arbiter is registered and enabled for this round' };
  const shortfall = quorumShortfall({ needed: quorum, present: proposals.length });
  if (shortfall !== undefined) return { reason: 'no-quorum', detail: shortfall };
  const detail = judgement?.reasoning ?? 'the arbiter saw no consensus';
  return { reason: judgement?.outcome === 'failed' ? 'arbiter-failed' : 'no-consensus', detail };
}
