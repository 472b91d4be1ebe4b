import { verifySession } from '#lib/decisions/driving/core';
import type { ConversationReplayReport } from '#lib/flows';
import { verifyConversation } from '#lib/flows/core';
import { type ReplayReport, type ReplayTotals, replayTotals, verifyRunTree } from '#lib/runs/runs/core';
import type { WorkflowRegistry } from '#lib/workflow';
import { HistoryBroken } from './history-broken.js';
import type { OpenedHistory } from './open-history.js';

/** The report about a run, with the runs below it. */
export interface RunTreeReport extends ReplayTotals {
  readonly runId: string;
}

export type HistoryReport = ReplayReport | ConversationReplayReport | RunTreeReport;

/**
 * Verifies the root of a history file as it is verified in a log. Of a redacted file only the structure was checked, when it was opened:
 * no stream of it is derived.
 */
export async function verifyHistory(
  { head, stream, log }: OpenedHistory,
  workflows: WorkflowRegistry,
): Promise<HistoryReport> {
  const { kind, id } = head.root;
  if (head.redaction !== 'none') {
    const eventsTaken = head.streams.reduce((sum, { events }) => sum + events, 0);
    const erased = head.streams.length;
    return { ...named(kind, id), ...replayTotals([]), streamsChecked: erased, eventsTaken, erased };
  }
  if (kind === 'run') return { runId: id, ...replayTotals(await verifyRunTree(log, workflows, stream)) };
  const report = kind === 'session' ? verifySession(log, id, workflows) : verifyConversation(log, id);
  return (await report) ?? missing();
}

function named(kind: OpenedHistory['head']['root']['kind'], id: string) {
  if (kind === 'session') return { sessionId: id };
  return kind === 'run' ? { runId: id } : { conversationId: id };
}

function missing(): never {
  throw new HistoryBroken(1, 'its root has no events');
}
