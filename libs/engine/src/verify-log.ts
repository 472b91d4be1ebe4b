import type { EventLog } from '#lib/event-store';
import { type ConversationReplayReport, verifyConversation } from '#lib/flows/core';
import { type ReplayReport, verifyEach, verifySession } from '#lib/replay';
import type { WorkflowRegistry } from '#lib/workflow';

/** The report about a session or a conversation. */
export type LogReplayReport = ReplayReport | ConversationReplayReport;

/** Verifies every session and every conversation of the log, in the order they were created. */
export function verifyLog(log: EventLog, workflows: WorkflowRegistry): AsyncGenerator<LogReplayReport> {
  return verifyEach<LogReplayReport>(log, {
    session: (read, id) => verifySession(read, id, workflows),
    conversation: verifyConversation,
  });
}
