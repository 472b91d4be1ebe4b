import type { EventLog } from '#lib/event-store';
import type { ConversationReplayReport } from '#lib/flows';
import { verifyConversation } from '#lib/flows/core';
import { type ExperimentReplayReport, verifyExperiment } from '#lib/histories/core';
import type { LogRange } from './replay/log-ranges.js';
import { verifyEach } from './replay/verify-all.js';
import type { ReplayedLog, ReplayReport } from '#lib/runs/runs/core';
import { verifySession } from '#lib/decisions/driving/core';
import type { WorkflowRegistry } from '#lib/workflow';

/** The report about a session, a conversation or an experiment. */
export type LogReplayReport = ReplayReport | ConversationReplayReport | ExperimentReplayReport;

/** Verifies every session, conversation and experiment of the log, or those that begin in a range of it, in the order they were created. */
export function verifyLog(
  log: EventLog,
  workflows: WorkflowRegistry,
  range?: LogRange,
): AsyncGenerator<LogReplayReport> {
  const verifiers = {
    session: (read: ReplayedLog, id: string) => verifySession(read, id, workflows),
    conversation: verifyConversation,
    experiment: verifyExperiment,
  };
  return verifyEach<LogReplayReport>(log, verifiers, range);
}
