import { setImmediate } from 'node:timers/promises';
import { type StoredEvent, StoreUnavailable, UndecodableEvent } from '#lib/event-store';
import type { Change } from '../store/statement.js';
import { EventNotProjected } from './event-not-projected.js';
import type { LogEvent } from './log-reader.js';
import type { Progress } from './progress.js';
import { changesOf, handlerOf, type Projection } from './projection.js';

/** So many events are looked at, by all projections, before other work of the process has its turn. */
const SLICE = 128;

/** An event that changes rows. */
interface Planned {
  readonly event: StoredEvent;
  readonly changes: readonly Change[];
  /** The position of the event before it in the batch. */
  readonly after: string | undefined;
}

/**
 * Applies a batch of events to a projection: rows and checkpoint in one transaction. Events with blobs that it takes have one
 * of their own each, so that no more than one of them is held at a time.
 * @returns false when another process has moved the checkpoint: then what was not kept before is not kept.
 * @throws EventNotProjected when an event cannot be taken; what came before it is kept, with its checkpoint.
 * @throws StoreUnavailable, for which no event is to blame.
 */
export async function projectBatch(progress: Progress, batch: readonly LogEvent[]): Promise<boolean> {
  const { projection } = progress;
  const apart = batch.findIndex((event) => isReadApart(projection, event));
  if (apart < 0) return projectTogether(progress, batch);
  return (
    (await projectTogether(progress, batch.slice(0, apart))) &&
    (await projectTogether(progress, [await whole(projection, batch[apart] as LogEvent)])) &&
    projectBatch(progress, batch.slice(apart + 1))
  );
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
  const { planned, to, failure } = await plan(progress.projection, batch);
  const kept = await keep(progress, planned, to);
  if (kept && failure) throw failure;
  return kept;
}

/** `to`: the position of the last event that can be taken. */
async function plan(projection: Projection, batch: readonly LogEvent[]) {
  const planned: Planned[] = [];
  let to: string | undefined;
  let looked = 0;
  // Runs for every event and every projection: `entries` would make two objects each time.
  for (const event of batch) {
    looked += 1;
    if (looked % SLICE === 0) await setImmediate();
    try {
      const changes = changesOf(projection, event);
      if (changes.length > 0) planned.push({ event: event.stored, changes, after: to });
    } catch (error) {
      return { planned, to, failure: new EventNotProjected(projection.name, event.stored, error) };
    }
    to = event.stored.position;
  }
  return { planned, to, failure: undefined };
}

async function keep(
  progress: Progress,
  planned: readonly Planned[],
  to: string | undefined,
): Promise<boolean> {
  if (to === undefined) return true;
  try {
    const changes = planned.flatMap((one) => one.changes);
    return await progress.move(to, changes);
  } catch (error) {
    if (error instanceof StoreUnavailable) throw error;
    return keepOneByOne(progress, planned, to);
  }
}

/** Finds the event that cannot be kept, and keeps all before it. */
async function keepOneByOne(progress: Progress, planned: readonly Planned[], to: string): Promise<boolean> {
  for (const { event, changes, after } of planned) {
    // `reached` names the event before the one that fails. Such a move is in memory, and always done.
    if (after !== undefined) await progress.move(after, []);
    if (!(await moveBy(progress, event, changes))) return false;
  }
  return progress.move(to, []);
}

async function moveBy(progress: Progress, event: StoredEvent, changes: readonly Change[]): Promise<boolean> {
  try {
    return await progress.move(event.position, changes);
  } catch (error) {
    if (error instanceof StoreUnavailable) throw error;
    throw new EventNotProjected(progress.projection.name, event, error);
  }
}
