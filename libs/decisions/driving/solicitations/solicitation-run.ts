import { derivedId } from '#lib/kernel';
import type { WithdrawnRuns } from '#lib/runs/runs/core';
import {
  runsOfFork,
  type ProposalSolicited,
  type SessionCommand,
  type SessionCreated,
  sessionDecider,
  type SessionEvent,
  type SessionState,
} from '#lib/decisions/session';
import { solicitationRequests, solicitationResult } from '#lib/decisions/solicitation';

/** Solicitations as runs that sessions ask for. */
export const solicitationRun: WithdrawnRuns<SessionState, SessionCommand, SessionEvent> = {
  decider: sessionDecider,
  requests: solicitationRequests,
  withdrawalReason: 'the session is closed',
  isUnattended: false,
  members: ['endsSolicitations'],
  input: ({ data }, [created]) => {
    const { roundId, specialistId, specialistVersion } = data as ProposalSolicited['data'];
    const { sessionId, machineName } = (created as SessionCreated).data;
    return { sessionId, roundId, specialistId, specialistVersion, machineName };
  },
  startedBy: (_, [created]) => (created as SessionCreated).data.by,
  forkOf: runsOfFork,
  closing: (sessionId, solicitationId, end) => {
    const proposalId = derivedId(solicitationId, 'proposal');
    const data = { sessionId, solicitationId, proposalId, result: solicitationResult(end) };
    return { type: 'CloseSolicitation', data };
  },
};
