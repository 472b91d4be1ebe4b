import { type LogReplayReport, verifyLog } from '#lib/engine/core';
import type { EventLog } from '#lib/event-store';
import { verifyConversation } from '#lib/flows/core';
import { RejectionError } from '#lib/operations/core';
import { verifySession } from '#lib/replay';
import { sessionRejections } from '#lib/session';
import type { WorkflowRegistry } from '#lib/workflow';

/**
 * Replays the session or the conversation with this id, or all of the log in the order they were created.
 * @throws RejectionError when there is neither
 */
export async function* replayHistories(
  log: EventLog,
  id: string | undefined,
  workflows: WorkflowRegistry,
): AsyncGenerator<LogReplayReport> {
  if (id === undefined) return yield* verifyLog(log, workflows);
  const report = (await verifySession(log, id, workflows)) ?? (await verifyConversation(log, id));
  if (!report) throw new RejectionError(sessionRejections.unknownSession(id));
  yield report;
}
