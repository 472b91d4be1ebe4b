import { isAtRest, transitionsOf } from '#lib/machine';
import type { SubmitArbitration } from '../session.commands.js';
import { currentRound, type Session } from '../session.state.js';
import { type ArbitrationClass, classifyArbitration } from './classify-arbitration.js';

/** What a submitted arbitration comes down to in a session as it is. */
export function classifySubmission(
  {
    roundId,
    transitionName,
    isHuman,
  }: Pick<SubmitArbitration['data'], 'roundId' | 'transitionName' | 'isHuman'>,
  session: Session,
): ArbitrationClass {
  const { machine, currentState, proposals } = session;
  return classifyArbitration({
    currentRoundId: currentRound(session).roundId,
    ...(roundId !== undefined && { roundId }),
    transitions: isAtRest(machine, currentState) ? {} : transitionsOf(machine, currentState),
    ...(transitionName !== undefined && { transitionName }),
    isHuman,
    proposalCount: proposals.length,
  });
}
