import { transitionsOf } from '#lib/machine';
import { writtenQuorum } from '../consensus/quorum.js';
import type { SubmitArbitration } from '../session.commands.js';
import { currentRound, type Session } from '../session.state.js';
import { type ArbitrationClass, classifyArbitration } from './classify-arbitration.js';

/** Classifies a submitted arbitration by the session's current state. */
export function classifySubmission(
  {
    roundId,
    transitionName,
    isHuman,
    quorum: enginesQuorum,
  }: Pick<SubmitArbitration['data'], 'roundId' | 'transitionName' | 'isHuman' | 'quorum'>,
  session: Session,
): ArbitrationClass {
  const { machine, currentState, proposals } = session;
  const quorum = writtenQuorum(session) ?? enginesQuorum;
  return classifyArbitration({
    currentRoundId: currentRound(session).roundId,
    ...(roundId !== undefined && { roundId }),
    transitions: transitionsOf(machine, currentState),
    ...(transitionName !== undefined && { transitionName }),
    isHuman,
    proposalCount: proposals.length,
    ...(quorum !== undefined && { quorum }),
  });
}
