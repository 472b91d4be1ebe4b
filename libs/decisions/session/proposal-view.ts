import type { OpenProposal, ProposalSetAside, ProposalSubmitted } from './session.events.js';

/** `late`: set aside. `lost`: another proposal won its round, or it was set aside as a duplicate or as invalid. */
export type ProposalStatus = 'open' | 'won' | 'lost' | 'late';

/** A proposal, for readers. */
export interface ProposalView extends OpenProposal {
  readonly sessionId: string;
  readonly roundId: string;
  readonly solicitationId?: string;
  readonly status: ProposalStatus;
  /** ISO 8601, UTC. */
  readonly createdAt: string;
}

/** A proposal at its arrival. */
export function arrivedProposal(
  sessionId: string,
  event: ProposalSubmitted | ProposalSetAside,
  createdAt: string,
): ProposalView {
  const { proposalId, roundId, specialistId, specialistVersion, isHuman, solicitationId, ...data } =
    event.data;
  const { reason, ...choice } = { reason: undefined, ...data };
  return {
    proposalId,
    sessionId,
    roundId,
    specialistId,
    specialistVersion,
    isHuman,
    ...choice,
    ...(solicitationId !== undefined && { solicitationId }),
    status: reason === undefined ? 'open' : reason === 'late' ? 'late' : 'lost',
    createdAt,
  };
}
