import type { EventLog } from '#lib/event-store';
import type { ConversationReplayReport } from '#lib/flows';
import { verifyConversation } from '#lib/flows/core';
import { verifyEach } from './replay/verify-all.js';
import type { ReplayReport } from '#lib/runs/runs/core';
import { verifySession } from '#lib/decisions/driving/core';
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
