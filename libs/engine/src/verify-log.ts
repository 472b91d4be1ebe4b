import type { EventLog } from '#lib/event-store';
import { type ConversationReplayReport, verifyConversation } from '#lib/flows/core';
import { type ReplayReport, verifyEach, verifySession } from '#lib/replay';
import type { WorkflowRegistry } from '#lib/workflow';

/** Of a session or of a conversation. */
export type LogReplayReport = ReplayReport | ConversationReplayReport;

/** Verifies every session and every conversation of the log, in the order they were created. */
export function verifyLog(log: EventLog, workflows: WorkflowRegistry): AsyncGenerator<LogReplayReport> {
  return verifyEach<LogReplayReport>(log, {
    session: (id) => verifySession(log, id, workflows),
    conversation: (id) => verifyConversation(log, id),
  });
}
