import { recordedCalls } from '#lib/call-rules';
import type { EventLog, StreamHistory } from '#lib/event-store';
import { firstDifference, type RecordedEvent } from '#lib/kernel';
import { runsOfFork, sessionDecider, type SessionEvent } from '#lib/decisions/session';
import {
  type Divergence,
  endOfRun,
  type RunEnd,
  verifyRun,
  type Workflow,
  type WorkflowStarted,
  locationOf,
} from '#lib/workflow';
import type { ReadableHistory, Verification } from '#lib/runs/runs/core';

/** A run that a stream has asked for. */
export interface OwnedRun {
  readonly workflow: Workflow;
  readonly runId: string;
  readonly request: RecordedEvent;
  /** The event with the end of the run, if there is one. */
  readonly closing: RecordedEvent | undefined;
  /** The data of an end in the stream that asked for the run. */
  readonly resultOf: (end: RunEnd) => unknown;
  /** The same, as recorded before 0.3. */
  readonly resultBefore03?: (end: RunEnd) => unknown;
}

/**
 * Verifies a run against the stream that asked for it: the run derives again, it belongs to that request, and its end is the
 * recorded one.
 * @param history of the stream that asked for it: of several runs, the first is verified first
 * @param recorded the stream of the run
 */
export function verifyOwnedRun(
  streams: EventLog['streams'],
  history: StreamHistory,
  run: OwnedRun,
  recorded: ReadableHistory,
): Verification {
  const { workflow, request } = run;
  const { events, damage, digest } = recorded;
  const used = history.upTo(request.revision);
  const { external: given, ...walked } = verifyRun(workflow, recordedCalls, events, used, digest);
  const divergence =
    wrongStart(streams, events[0], request, history) ?? walked.divergence ?? damage ?? wrongEnd(events, run);
  return { given, ...walked, ...(divergence && { open: false, divergence }) };
}

function wrongStart(
  streams: EventLog['streams'],
  start: RecordedEvent | undefined,
  request: RecordedEvent,
  history: StreamHistory,
): Divergence | undefined {
  if (start?.type !== 'WorkflowStarted') return undefined;
  const { workflow, version, input, facts, context, by } = start.data as WorkflowStarted['data'];
  // Before 0.3 a run did not record the person it works for.
  const { by: creator } = (history.events[0]?.data ?? {}) as { readonly by?: string };
  const person = by !== undefined && creator !== undefined && { by: creator };
  const { events } = history.upTo(request.revision) as StreamHistory<SessionEvent>;
  const fork = workflow === 'due_times' ? undefined : runsOfFork(events);
  const stream = streams.withoutPrefix(request.stream);
  const reference = { revision: request.revision, sha256: context?.sha256 };
  const follows = {
    workflow,
    version,
    input,
    facts,
    owner: { stream },
    context: reference,
    ...person,
    ...fork,
  };
  const difference = firstDifference(start.data, follows, '/data');
  return difference && { ...locationOf(start), ...difference };
}

function wrongEnd(events: readonly RecordedEvent[], { closing, ...run }: OwnedRun): Divergence | undefined {
  if (!closing) return undefined;
  const { command: recorded } = closing.metadata;
  const command = recorded && sessionDecider.rebuild(recorded, [closing as RecordedEvent<SessionEvent>]);
  const taken = (command as { data?: { result?: unknown } } | undefined)?.data?.result;
  const end = endOfRun(events);
  const before = end && run.resultBefore03?.(end);
  const isEarlier = before !== undefined && firstDifference(taken, before, '') === undefined;
  if (isEarlier) return undefined;
  const difference = firstDifference(taken, end && run.resultOf(end), '/metadata/command/data/result');
  return difference && { ...locationOf(closing), ...difference };
}
