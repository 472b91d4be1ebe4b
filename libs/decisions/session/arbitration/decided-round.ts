import { ownMember, type Rejection } from '#lib/kernel';
import { transitionsOf } from '#lib/decisions/machines';
import { type CallerInput, spent } from '../choice.js';
import type { ConsensusBasis } from '../consensus/consensus-question.js';
import type { Verdict } from '../consensus/consensus-question.js';
import { refusedArguments } from '../refused-arguments.js';
import type { ConsensusReached, TransitionExecuted } from '../session.events.js';
import { currentRound, type Session } from '../session.state.js';
import type { OpenProposal } from '../session.events.js';

/** The events of a consensus, in one append: the consensus, and the winner's transition. */
export function decidedRound(
  session: Session,
  winner: OpenProposal,
  { reasoning, margin, ...said }: Verdict,
  { arbitrationId, nextRoundId, basis, given }: Decision,
): readonly [ConsensusReached, TransitionExecuted] {
  const { roundId } = currentRound(session);
  const { proposalId, transitionName, toState } = winner;
  const measured = margin !== undefined && { margin };
  const metaJson = given.metaJson ?? winner.metaJson;
  return [
    {
      type: 'ConsensusReached',
      data: {
        arbitrationId,
        roundId,
        winningProposalId: proposalId,
        reasoning,
        ...measured,
        ...spent(given, said),
        ...basis,
      },
    },
    {
      type: 'TransitionExecuted',
      data: {
        roundId,
        nextRoundId,
        transitionName,
        fromState: session.currentState,
        toState,
        reasoning: given.reasoning ?? winner.reasoning,
        ...(metaJson !== undefined && { metaJson }),
        isHuman: false,
        decidedBy: basis.arbiter.specialistId,
        proposalId,
      },
    },
  ];
}

interface Decision {
  readonly arbitrationId: string;
  readonly nextRoundId: string;
  readonly basis: ConsensusBasis;
  readonly given: CallerInput;
}

/** Why the arguments that a caller gives a decision are refused. Without any, those of the winning proposal are used, which were checked before. */
export function refusedDecision(
  session: Session,
  transitionName: string,
  { metaJson }: CallerInput,
): Rejection | undefined {
  const transition = ownMember(transitionsOf(session.machine, session.currentState), transitionName);
  return metaJson && transition ? refusedArguments(transitionName, transition, metaJson) : undefined;
}
