import { transitionsOf } from '#lib/decisions/machines';
import { writtenQuorum } from '../consensus/quorum.js';
import { weighedProposals } from '../people/needs-person.rules.js';
import type { SubmitArbitration } from '../session.commands.js';
import { currentRound, type Session } from '../session.state.js';
import type { OpenProposal } from '../session.events.js';
import { type ArbitrationClass, classifyArbitration } from './classify-arbitration.js';

/** Classifies a submitted arbitration by the session's current state. */
export function classifySubmission(
  {
    roundId,
    isHuman,
    quorum: enginesQuorum,
    ...forced
  }: Pick<SubmitArbitration['data'], 'roundId' | 'transitionName' | 'proposalId' | 'isHuman' | 'quorum'>,
  session: Session,
): ArbitrationClass {
  const { machine, currentState, proposals } = session;
  const proposalCount = weighedProposals(session).length === 0 ? 0 : proposals.length;
  const quorum = writtenQuorum(session) ?? enginesQuorum;
  const transitionName = forcedTransition(forced, session);
  return classifyArbitration({
    currentRoundId: currentRound(session).roundId,
    ...(roundId !== undefined && { roundId }),
    transitions: transitionsOf(machine, currentState),
    ...(transitionName !== undefined && { transitionName }),
    isHuman,
    proposalCount,
    ...(quorum !== undefined && { quorum }),
  });
}

type Forced = Pick<SubmitArbitration['data'], 'transitionName' | 'proposalId'>;

/** The open proposal that is accepted; `undefined` if there is none, or it is for another transition than the one that is named. */
export function acceptedProposal(
  { transitionName, proposalId }: Forced,
  { proposals }: Session,
): OpenProposal | undefined {
  const proposal = proposals.find((one) => one.proposalId === proposalId);
  return proposal && (transitionName ?? proposal.transitionName) === proposal.transitionName
    ? proposal
    : undefined;
}

/** That of the accepted proposal, or the one that is named. No state offers one without a name. */
function forcedTransition(forced: Forced, session: Session): string | undefined {
  if (forced.proposalId === undefined) return forced.transitionName;
  return acceptedProposal(forced, session)?.transitionName ?? '';
}
