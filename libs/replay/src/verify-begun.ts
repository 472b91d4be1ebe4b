import type { EventLog, StreamCategory } from '#lib/event-store';
import { type Event, firstDifference, type RecordedEvent } from '#lib/kernel';
import { type Verification, verifyWorkflow, type Workflow } from '#lib/legacy-workflow';
import { type Divergence, divergenceFromError } from '#lib/workflow';
import { readableHistory } from './readable-history.js';

/** A workflow that a session, or an evaluation, says it has begun. */
export interface Begun<State, E extends Event> {
  readonly category: StreamCategory;
  readonly id: string;
  readonly workflow: Workflow<State, E>;
  /** What brought its end there, where something did. */
  readonly closing: RecordedEvent | undefined;
  /** The data of its start event, as far as it follows from what began it; of the rest, what is recorded. */
  readonly startOf: (recorded: E) => unknown;
  /** What an end says to whoever began it. */
  readonly resultOf: (end: E) => unknown;
}

/**
 * Verifies a workflow that was begun: by asking it again, that it began with what its session or evaluation says, and that what
 * it ended with is what was taken there.
 */
export async function verifyBegun<State, E extends Event>(
  log: EventLog,
  begun: Begun<State, E>,
): Promise<Verification> {
  const { category, id, workflow } = begun;
  const { events, damage } = await readableHistory<E>(log, log.streams.of(category, id));
  const walked = verifyWorkflow(workflow, events);
  const divergence =
    walked.divergence ?? damage ?? wrongStart(events[0], begun) ?? wrongEnd(events.at(-1), begun);
  return { ...walked, ...(divergence && { open: false, divergence }) };
}

function wrongStart<State, E extends Event>(
  start: RecordedEvent<E> | undefined,
  { startOf }: Begun<State, E>,
): Divergence | undefined {
  if (!start) return undefined;
  try {
    const difference = firstDifference(start.data, startOf(start), '/data');
    return difference && { ...placeOf(start), ...difference };
  } catch (error) {
    return divergenceFromError(start, error);
  }
}

function wrongEnd<State, E extends Event>(
  end: RecordedEvent<E> | undefined,
  { closing, resultOf }: Begun<State, E>,
): Divergence | undefined {
  if (!closing) return undefined;
  const taken = (closing.metadata.command as { data?: { result?: unknown } } | undefined)?.data?.result;
  const difference = firstDifference(taken, end && resultOf(end), '/metadata/command/data/result');
  return difference && { ...placeOf(closing), ...difference };
}

function placeOf({ stream, revision, type }: RecordedEvent) {
  return { stream, revision, type };
}
