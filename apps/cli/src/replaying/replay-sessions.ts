import { RejectionError } from '#lib/operations/core';
import type { EventLog } from '#lib/event-store';
import { type ReplayReport, verifyAll, verifySession } from '#lib/replay';
import type { WorkflowRegistry } from '#lib/workflow';
import { sessionRejections } from '#lib/session';

/** Replays one session, or every session in the order they were created. @throws RejectionError when there is no such session */
export async function* replaySessions(
  log: EventLog,
  sessionId: string | undefined,
  workflows: WorkflowRegistry,
): AsyncGenerator<ReplayReport> {
  if (sessionId === undefined) return yield* verifyAll(log, workflows);
  const report = await verifySession(log, sessionId, workflows);
  if (!report) throw new RejectionError(sessionRejections.unknownSession(sessionId));
  yield report;
}
