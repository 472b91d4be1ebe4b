import { recordedCalls } from '#lib/calls';
import type { EventLog, StreamHistory } from '#lib/event-store';
import { firstDifference, type RecordedEvent } from '#lib/kernel';
import { sessionDecider, type SessionEvent } from '#lib/session';
import {
  type Divergence,
  foldSteps,
  type RunEnd,
  verifyRun,
  type Workflow,
  type WorkflowStarted,
  locationOf,
} from '#lib/workflow';
import { readableHistory } from './readable-history.js';
import type { Verification } from './replay-report.js';

/** A run that a stream says it has asked for. */
interface OwnedRun {
  readonly workflow: Workflow;
  readonly runId: string;
  /** The event that asks for it. */
  readonly request: RecordedEvent;
  /** The event that took in its end, if there is one. */
  readonly closing: RecordedEvent | undefined;
  /** The data that an end gives to the stream that asked for the run. */
  readonly resultOf: (end: RunEnd) => unknown;
}

/**
 * Verifies a run with the stream that asked for it: that it derives again, that it belongs to that request, and that what it
 * ended with is what was taken in there.
 * @param history of the stream that asked for it: of several runs, the first one is verified first
 */
export async function verifyOwnedRun(
  log: EventLog,
  history: StreamHistory,
  run: OwnedRun,
): Promise<Verification> {
  const { workflow, runId, request } = run;
  const { events, damage } = await readableHistory(log, log.streams.of(workflow.name, runId));
  const used = history.upTo(request.revision);
  const { external: given, ...walked } = verifyRun(workflow, recordedCalls, events, used);
  const divergence =
    wrongStart(log.streams, events[0], request) ?? walked.divergence ?? damage ?? wrongEnd(events, run);
  return { ...walked, given, ...(divergence && { open: false, divergence }) };
}

function wrongStart(
  streams: EventLog['streams'],
  start: RecordedEvent | undefined,
  request: RecordedEvent,
): Divergence | undefined {
  if (start?.type !== 'WorkflowStarted') return undefined;
  const { workflow, version, input, facts, context } = start.data as WorkflowStarted['data'];
  const stream = streams.withoutPrefix(request.stream);
  const reference = { revision: request.revision, sha256: context?.sha256 };
  const follows = { workflow, version, input, facts, owner: { stream }, context: reference };
  const difference = firstDifference(start.data, follows, '/data');
  return difference && { ...locationOf(start), ...difference };
}

function wrongEnd(events: readonly RecordedEvent[], { closing, resultOf }: OwnedRun): Divergence | undefined {
  if (!closing) return undefined;
  const { command: recorded } = closing.metadata;
  const command = recorded && sessionDecider.rebuild(recorded, [closing as RecordedEvent<SessionEvent>]);
  const taken = (command as { data?: { result?: unknown } } | undefined)?.data?.result;
  const { end } = foldSteps(events, recordedCalls);
  const difference = firstDifference(taken, end && resultOf(end), '/metadata/command/data/result');
  return difference && { ...locationOf(closing), ...difference };
}
