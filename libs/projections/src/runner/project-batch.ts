import { type StoredEvent, StoreUnavailable, UndecodableEvent } from '#lib/event-store';
import { RedialError } from '#lib/kernel';
import type { Change } from '../store/statement.js';
import type { LogEvent } from './log-reader.js';
import type { Progress } from './progress.js';
import { changesOf, handlerOf, type Projection } from './projection.js';

/** A projection could not take an event, and has stopped before it. */
export class EventNotProjected extends RedialError {
  constructor(
    projection: string,
    readonly event: StoredEvent,
    cause: unknown,
  ) {
    super(
      `projection ${projection} cannot take event ${event.type} at ${event.stream} revision ${event.revision}`,
      cause instanceof Error ? cause.message : String(cause),
      'Remove the cause: the event is retried at least once a minute, and at a restart',
      { cause },
    );
  }
}

interface Planned {
  readonly event: LogEvent;
  readonly changes: readonly Change[];
}

/**
 * Applies a batch of events to a projection: rows and checkpoint in one transaction. Events with blobs that it takes have one
 * of their own each, so that no more than one of them is held at a time.
 * @returns false when another process has moved the checkpoint: then what was not kept before is not kept.
 * @throws EventNotProjected when an event cannot be taken; what came before it is kept, with its checkpoint.
 * @throws StoreUnavailable, which is no event's fault.
 */
export async function projectBatch(progress: Progress, batch: readonly LogEvent[]): Promise<boolean> {
  const { projection } = progress;
  let start = 0;
  for (const [index, event] of batch.entries()) {
    if (!isReadApart(projection, event)) continue;
    if (!(await projectTogether(progress, batch.slice(start, index)))) return false;
    if (!(await projectTogether(progress, [await whole(projection, event)]))) return false;
    start = index + 1;
  }
  return projectTogether(progress, start === 0 ? batch : batch.slice(start));
}

/** An event that cannot be read is found to be so where the others are. */
function isReadApart(projection: Projection, event: LogEvent): boolean {
  if (!handlerOf(projection, event)) return false;
  try {
    return event.hasBlobs();
  } catch (error) {
    if (error instanceof UndecodableEvent) return false;
    throw error;
  }
}

async function whole(projection: Projection, event: LogEvent): Promise<LogEvent> {
  try {
    return await event.whole();
  } catch (error) {
    if (!(error instanceof UndecodableEvent)) throw error;
    throw new EventNotProjected(projection.name, event.stored, error);
  }
}

async function projectTogether(progress: Progress, batch: readonly LogEvent[]): Promise<boolean> {
  const { planned, failure } = plan(progress.projection, batch);
  const kept = await keep(progress, planned);
  if (kept && failure) throw failure;
  return kept;
}

function plan(projection: Projection, batch: readonly LogEvent[]) {
  const planned: Planned[] = [];
  for (const event of batch) {
    try {
      planned.push({ event, changes: changesOf(projection, event) });
    } catch (error) {
      return { planned, failure: new EventNotProjected(projection.name, event.stored, error) };
    }
  }
  return { planned, failure: undefined };
}

async function keep(progress: Progress, planned: readonly Planned[]): Promise<boolean> {
  const last = planned.at(-1);
  if (!last) return true;
  const changes = planned.flatMap((one) => one.changes);
  try {
    return await progress.move(last.event.stored.position, changes);
  } catch (error) {
    if (error instanceof StoreUnavailable) throw error;
    if (planned.length === 1) throw new EventNotProjected(progress.projection.name, last.event.stored, error);
    return keepOneByOne(progress, planned);
  }
}

/** Finds the event that cannot be kept, and keeps all before it. */
async function keepOneByOne(progress: Progress, planned: readonly Planned[]): Promise<boolean> {
  for (const one of planned) if (!(await keep(progress, [one]))) return false;
  return true;
}
