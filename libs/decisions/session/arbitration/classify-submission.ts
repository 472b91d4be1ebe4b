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

/** The accepted open proposal; `undefined` if there is none, or it has another transition than the named one. */
export function acceptedProposal(
  { transitionName, proposalId }: Forced,
  { proposals }: Session,
): OpenProposal | undefined {
  const proposal = proposals.find((one) => one.proposalId === proposalId);
  return proposal && (transitionName ?? proposal.transitionName) === proposal.transitionName
    ? proposal
    : undefined;
}

/** The transition of the accepted proposal, or the named one. No state offers a transition without a name. */
function forcedTransition(forced: Forced, session: Session): string | undefined {
  if (forced.proposalId === undefined) return forced.transitionName;
  return acceptedProposal(forced, session)?.transitionName ?? '';
}
