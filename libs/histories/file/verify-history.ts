import { verifySession } from '#lib/decisions/driving/core';
import type { EventLog } from '#lib/event-store';
import type { ConversationReplayReport } from '#lib/flows';
import { verifyConversation } from '#lib/flows/core';
import { type ReplayReport, type ReplayTotals, replayTotals, verifyRunTree } from '#lib/runs/runs/core';
import type { WorkflowRegistry } from '#lib/workflow';
import { HistoryBroken } from './history-broken.js';
import type { HistoryRoot } from './history-lines.js';
import type { OpenedHistory } from './open-history.js';

/** The report of a run, with the runs below it. */
interface RunTreeReport extends ReplayTotals {
  readonly runId: string;
}

export type HistoryReport = ReplayReport | ConversationReplayReport | RunTreeReport;

/** A session, run or conversation in a log. The log ends at the revision that is verified. */
export interface RootInLog {
  readonly root: HistoryRoot;
  readonly log: EventLog;
  /** With the prefix of the log. */
  readonly stream: string;
}

/** Verifies a session, run or conversation with the runs below it. @returns `undefined` if it has no events */
export async function verifyRoot(
  { root: { kind, id }, log, stream }: RootInLog,
  workflows: WorkflowRegistry,
): Promise<HistoryReport | undefined> {
  if (kind === 'session') return verifySession(log, id, workflows);
  if (kind === 'conversation') return verifyConversation(log, id);
  const parts = await verifyRunTree(log, workflows, stream);
  return parts.length === 0 ? undefined : { runId: id, ...replayTotals(parts) };
}

/** Verifies the root of a history file as in a log. Nothing of a redacted file is derived: only its structure was checked, when it was opened. */
export async function verifyHistory(
  { head, stream, log }: OpenedHistory,
  workflows: WorkflowRegistry,
): Promise<HistoryReport> {
  const { root } = head;
  if (head.redaction === 'none') return (await verifyRoot({ root, stream, log }, workflows)) ?? missing();
  const eventsTaken = head.streams.reduce((sum, { events }) => sum + events, 0);
  const erased = head.streams.length;
  return { ...named(root), ...replayTotals([]), streamsChecked: erased, eventsTaken, erased };
}

function named({ kind, id }: HistoryRoot) {
  if (kind === 'session') return { sessionId: id };
  return kind === 'run' ? { runId: id } : { conversationId: id };
}

function missing(): never {
  throw new HistoryBroken(1, 'its root has no events');
}
