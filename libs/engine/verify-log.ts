import type { EventLog } from '#lib/event-store';
import type { ConversationReplayReport } from '#lib/flows';
import { verifyConversation } from '#lib/flows/core';
import type { LogRange } from './replay/log-ranges.js';
import { verifyEach } from './replay/verify-all.js';
import type { ReplayedLog, ReplayReport } from '#lib/runs/runs/core';
import { verifySession } from '#lib/decisions/driving/core';
import type { WorkflowRegistry } from '#lib/workflow';

/** The report about a session or a conversation. */
export type LogReplayReport = ReplayReport | ConversationReplayReport;

/** Verifies every session and every conversation of the log, or those that begin in a range of it, in the order they were created. */
export function verifyLog(
  log: EventLog,
  workflows: WorkflowRegistry,
  range?: LogRange,
): AsyncGenerator<LogReplayReport> {
  const verifiers = {
    session: (read: ReplayedLog, id: string) => verifySession(read, id, workflows),
    conversation: verifyConversation,
  };
  return verifyEach<LogReplayReport>(log, verifiers, range);
}
