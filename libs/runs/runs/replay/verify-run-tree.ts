import { recordedCalls } from '#lib/call-rules';
import { ownEvents, StreamHistory } from '#lib/event-store';
import { firstDifference, type RecordedEvent } from '#lib/kernel';
import {
  type ChildEnded,
  type ChildStarted,
  type Divergence,
  endOfRun,
  usedStream,
  verifyRun,
  type WorkflowRegistry,
  type WorkflowStarted,
  locationOf,
} from '#lib/workflow';
import type { ReplayedLog } from './read-ahead.js';
import { type ReadableHistory, readableHistory, verifiedErased } from './readable-history.js';
import type { Verification } from './replay-report.js';

type History = readonly RecordedEvent[];

/** Verifies a run and all runs below it. @returns the run's own first; an empty list if there is no such run */
export async function verifyRunTree(
  log: ReplayedLog,
  workflows: WorkflowRegistry,
  stream: string,
): Promise<readonly Verification[]> {
  const history = await readableHistory(log, stream);
  if (history.events.length === 0 && !history.damage) return [];
  const own = verifiedErased(history) ?? (await verifyOne(log, workflows, stream, history));
  return [own, ...(await verifyChildren(log, workflows, history.events))];
}

/**
 * Verifies the children of a run and the runs below them: that each derives again, began as its parent asked, and ended as its parent recorded. The
 * events of a child whose workflow is missing are taken as facts. Children that copied events name are verified with the run that was forked.
 */
export async function verifyChildren(
  log: ReplayedLog,
  workflows: WorkflowRegistry,
  parent: History,
): Promise<readonly Verification[]> {
  const asked = ownEvents(parent).filter(
    (event): event is RecordedEvent<ChildStarted> => event.type === 'ChildStarted',
  );
  const checked = await Promise.all(asked.map((event) => verifyChild(log, workflows, parent, event)));
  return checked.flat();
}

async function verifyChild(
  log: ReplayedLog,
  workflows: WorkflowRegistry,
  parent: History,
  asked: RecordedEvent<ChildStarted>,
): Promise<readonly Verification[]> {
  const stream = log.streams.of(asked.data.workflow, asked.data.runId);
  const history = await readableHistory(log, stream);
  const { events, damage } = history;
  const [start] = events as readonly RecordedEvent<WorkflowStarted>[];
  // A child that was refused has no stream.
  if (!start && !damage) return [];
  const erased = verifiedErased(history);
  if (erased) return [erased, ...(await verifyChildren(log, workflows, events))];
  const own = await verifyOne(log, workflows, stream, history);
  const divergence =
    (start && wrongStart(log, parent, asked, start)) ?? own.divergence ?? wrongEnd(parent, asked, events);
  const below = await verifyChildren(log, workflows, events);
  return [{ ...own, ...(divergence && { open: false, divergence }) }, ...below];
}

async function verifyOne(
  log: ReplayedLog,
  workflows: WorkflowRegistry,
  stream: string,
  { events, damage, digest }: ReadableHistory,
): Promise<Verification> {
  const workflow = workflows.named(log.streams.parse(stream)?.category ?? '');
  const [start] = events as readonly RecordedEvent<WorkflowStarted>[];
  if (!workflow || !start) return { derived: 0, given: events.length, open: false, divergence: damage };
  const used = await usedBy(log, start);
  const { external: given, ...walked } = verifyRun(workflow, recordedCalls, events, used, digest);
  const divergence = walked.divergence ?? damage;
  return { ...walked, given, ...(divergence && { open: false, divergence }) };
}

async function usedBy(log: ReplayedLog, { data }: RecordedEvent<WorkflowStarted>): Promise<StreamHistory> {
  const used = usedStream(data);
  if (!used) return new StreamHistory();
  const { events } = await readableHistory(log, log.streams.withPrefix(used.stream));
  return new StreamHistory(events).upTo(used.revision);
}

function wrongStart(
  { streams }: ReplayedLog,
  [first]: History,
  { data: { stepId, workflow, input, context } }: RecordedEvent<ChildStarted>,
  { data, ...start }: RecordedEvent<WorkflowStarted>,
): Divergence | undefined {
  const above = first && streams.parse(first.stream);
  const owner = { run: above?.id, workflow: above?.category, stepId };
  const reference = context && { ...context, sha256: data.context?.sha256 };
  const used = (context ?? data.context) && { context: reference };
  const difference = firstDifference(data, { ...data, workflow, input, owner, ...used }, '/data');
  return difference && { ...locationOf(start), ...difference };
}

function wrongEnd(
  parent: History,
  { data: { stepId, runId } }: RecordedEvent<ChildStarted>,
  child: History,
): Divergence | undefined {
  const taken = parent.find(
    (event): event is RecordedEvent<ChildEnded> =>
      event.type === 'ChildEnded' && (event as RecordedEvent<ChildEnded>).data.runId === runId,
  );
  if (!taken) return undefined;
  const end = endOfRun(child);
  const difference = firstDifference(taken.data, { stepId, runId, ...end }, '/data');
  return difference && { ...locationOf(taken), ...difference };
}
