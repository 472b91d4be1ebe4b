import { isRejection, jsonText, ownMember, type Rejection } from '#lib/kernel';
import { transitionsOf } from '#lib/decisions/machines';
import { spent } from '../choice.js';
import type { CallerInput } from '../proposal.members.js';
import type { ConsensusBasis, Verdict } from '../consensus/consensus-question.js';
import { refusedArguments } from '../refused-arguments.js';
import { executedTransition } from '../people/executed-transition.js';
import type { OpenProposal, SessionEvent } from '../session.events.js';
import { currentRound, type Session } from '../session.state.js';

/**
 * The events of a consensus, in one append: the consensus, and the winner's transition. If that transition needs a person, there
 * is no consensus, and the round waits for people.
 */
export function decidedRound(
  session: Session,
  winner: OpenProposal,
  verdict: Verdict,
  decision: Decision,
): readonly SessionEvent[] {
  const { nextRoundId, basis, given } = decision;
  const { proposalId, transitionName, toState } = winner;
  const metaJson = given.metaJson ?? winner.metaJson;
  const reasoning = given.reasoning ?? winner.reasoning;
  const chosen = { nextRoundId, transitionName, toState, reasoning, metaJson, proposalId };
  const transition = executedTransition(
    session,
    { ...chosen, decidedBy: basis.arbiter.specialistId },
    { type: 'arbiter' },
  );
  if (isRejection(transition)) return leftToPeople(session, winner, verdict, decision);
  const { roundId } = currentRound(session);
  const ids = { arbitrationId: decision.arbitrationId, roundId, winningProposalId: proposalId };
  return [{ type: 'ConsensusReached', data: { ...ids, ...judged(verdict, decision) } }, transition];
}

function leftToPeople(
  session: Session,
  { proposalId, transitionName }: OpenProposal,
  verdict: Verdict,
  decision: Decision,
): readonly SessionEvent[] {
  const { roundId } = currentRound(session);
  const { arbitrationId } = decision;
  const data = { arbitrationId, roundId, ...judged(verdict, decision), leftToPeople: proposalId };
  const detail = `the proposals are for ${jsonText(transitionName)}, which a person decides: ${verdict.reasoning}`;
  const wait = { type: 'HumanInputRequested', data: { roundId, reason: 'needs-person', detail } } as const;
  return [{ type: 'ConsensusNotReached', data }, ...(session.awaitsHuman ? [] : [wait])];
}

/** The members of a verdict that all its events record. */
function judged({ reasoning, margin, ...said }: Verdict, { basis, given }: Decision) {
  return { reasoning, ...(margin !== undefined && { margin }), ...spent(given, said), ...basis };
}

interface Decision {
  readonly arbitrationId: string;
  readonly nextRoundId: string;
  readonly basis: ConsensusBasis;
  readonly given: CallerInput;
}

/** The rejection of a caller's arguments for a decision. Without them the winning proposal's are used, which were checked before. */
export function refusedDecision(
  session: Session,
  transitionName: string,
  { metaJson }: CallerInput,
): Rejection | undefined {
  const transition = ownMember(transitionsOf(session.machine, session.currentState), transitionName);
  return metaJson && transition ? refusedArguments(transitionName, transition, metaJson) : undefined;
}
