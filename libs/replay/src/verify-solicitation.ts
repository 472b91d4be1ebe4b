import type { EventLog, StreamHistory } from '#lib/event-store';
import type { RecordedEvent } from '#lib/kernel';
import type { ProposalSolicited, SessionEvent } from '#lib/session';
import { solicitation, solicitationRequests, solicitationResult } from '#lib/solicitation';
import { verifyOwnedRun } from './verify-owned-run.js';
import type { Verification } from './replay-report.js';

/** Verifies the solicitation that an event of a session asks for: the context of its proposer follows from the session. */
export function verifySolicitation(
  log: EventLog,
  session: StreamHistory<SessionEvent>,
  request: RecordedEvent<ProposalSolicited>,
): Promise<Verification> {
  const { solicitationId: runId } = request.data;
  const closing = session.events.find((event) => solicitationRequests.takenBy(event) === runId);
  const resultOf = solicitationResult;
  return verifyOwnedRun(log, session, { workflow: solicitation, runId, request, closing, resultOf });
}
