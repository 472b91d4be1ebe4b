import { arbitration, arbitrationEnd, arbitrationRequests } from '#lib/arbitration';
import type { EventLog, StreamHistory } from '#lib/event-store';
import type { RecordedEvent } from '#lib/kernel';
import type { ArbitrationRequested, SessionEvent } from '#lib/session';
import { verifyOwnedRun } from './verify-owned-run.js';
import type { Verification } from './replay-report.js';

/** Verifies the arbitration that an event of a session asks for: the context of its arbiter follows from the session. */
export function verifyArbitration(
  log: EventLog,
  session: StreamHistory<SessionEvent>,
  request: RecordedEvent<ArbitrationRequested>,
): Promise<Verification> {
  const { arbitrationId: runId } = request.data;
  const closing = session.events.find((event) => arbitrationRequests.takenBy(event) === runId);
  return verifyOwnedRun(log, session, {
    workflow: arbitration,
    runId,
    request,
    closing,
    resultOf: arbitrationEnd,
  });
}
