import { derivedId } from '#lib/kernel';
import type { ProposalSolicited, SessionCreated } from '#lib/session';
import { solicitationRequests, solicitationResult } from '#lib/solicitation';
import type { SessionRunKind } from '../workflows/session-run-owner.js';

/** Solicitations as runs that sessions ask for. */
export const solicitationRun: SessionRunKind = {
  requests: solicitationRequests,
  input: ({ data }, [created]) => {
    const { roundId, specialistId, specialistVersion } = data as ProposalSolicited['data'];
    const { sessionId, machineName } = (created as SessionCreated).data;
    return { sessionId, roundId, specialistId, specialistVersion, machineName };
  },
  closing: (sessionId, solicitationId, end) => {
    const proposalId = derivedId(solicitationId, 'proposal');
    const data = { sessionId, solicitationId, proposalId, result: solicitationResult(end) };
    return { type: 'CloseSolicitation', data };
  },
};
