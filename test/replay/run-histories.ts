import { code } from '#lib/code';
import { verifyConversation } from '#lib/flows';
import { type EventStore, StreamNames } from '#lib/event-store';
import { planner } from '#lib/planner';
import { type ReplayTotals, replayTotals, verifyRunTree } from '#lib/runs/runs';
import { WorkflowRegistry } from '#lib/workflow';
import { type HistoryEvent, logOf } from './history.js';

/** A conversation with its turns, or a run. */
export type RunsSubject =
  | { readonly conversationId: string }
  | { readonly workflow: string; readonly runId: string };

/** The events of the conversation or of the run, stream by stream, as the store keeps them. */
export interface RunsHistory {
  readonly subject: RunsSubject;
  readonly events: readonly HistoryEvent[];
}

const workflows = new WorkflowRegistry([planner, code]);

/** Every event of a store that belongs to conversations and runs, in log order. */
export async function runsHistoryOf(store: EventStore, subject: RunsSubject): Promise<RunsHistory> {
  const all = await store.readAll({ limit: 10_000 });
  const own = all.filter(({ stream }) => /_(conversation|turn|planner|code)-/.test(stream));
  const events = own.map(({ stream, eventId, type, data, metadata }) => ({
    stream,
    eventId,
    type,
    data,
    metadata,
  }));
  return { subject, events };
}

/** The result of verifying all of a history again; `undefined` if its conversation is missing. */
export async function replayRuns({ subject, events }: RunsHistory): Promise<ReplayTotals | undefined> {
  const log = await logOf(events);
  if ('conversationId' in subject) return verifyConversation(log, subject.conversationId);
  const stream = new StreamNames().of(subject.workflow, subject.runId);
  return replayTotals(await verifyRunTree(log, workflows, stream));
}
