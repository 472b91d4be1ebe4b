import { StoreUnavailable, UndecodableEvent } from '#lib/event-store';
import type { ReadStore } from '../store/read-store.js';
import type { Change } from '../store/statement.js';
import { changesOf, handlerOf } from './changes-of.js';
import { moveCheckpoint } from './checkpoints.js';
import { EventNotProjected } from './event-not-projected.js';
import type { LogEvent } from './log-event.js';
import type { Projection } from './projection.js';

interface Planned {
  readonly event: LogEvent;
  readonly changes: readonly Change[];
}

/**
 * Brings a projection from a checkpoint over a batch of events: rows and checkpoint in one transaction. Events with blobs
 * that it takes have one of their own each, so that no more than one of them is held at a time.
 * @returns the new checkpoint, or `undefined` when the projection was not at `from`: then nothing was kept.
 * @throws EventNotProjected when an event cannot be taken; what came before it is kept, with its checkpoint.
 * @throws StoreUnavailable, which is no event's fault.
 */
export async function projectBatch(
  store: ReadStore,
  projection: Projection,
  from: string,
  batch: readonly LogEvent[],
): Promise<string | undefined> {
  let reached: string | undefined = from;
  let start = 0;
  for (const [index, event] of batch.entries()) {
    if (!isReadApart(projection, event)) continue;
    reached = await projectTogether(store, projection, reached, batch.slice(start, index));
    if (reached === undefined) return undefined;
    reached = await projectTogether(store, projection, reached, [await whole(projection, event)]);
    if (reached === undefined) return undefined;
    start = index + 1;
  }
  return projectTogether(store, projection, reached, start === 0 ? batch : batch.slice(start));
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

async function projectTogether(
  store: ReadStore,
  projection: Projection,
  from: string,
  batch: readonly LogEvent[],
): Promise<string | undefined> {
  const { planned, failure } = plan(projection, batch);
  const reached = await keep(store, projection, from, planned);
  if (reached !== undefined && failure) throw failure;
  return reached;
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

async function keep(
  store: ReadStore,
  projection: Projection,
  from: string,
  planned: readonly Planned[],
): Promise<string | undefined> {
  const last = planned.at(-1);
  if (!last) return from;
  const to = last.event.stored.position;
  const changes = planned.flatMap((one) => one.changes);
  try {
    const kept = await store.write([moveCheckpoint(projection, from, to), ...changes]);
    return kept ? to : undefined;
  } catch (error) {
    if (error instanceof StoreUnavailable) throw error;
    if (planned.length === 1) throw new EventNotProjected(projection.name, last.event.stored, error);
    return keepOneByOne(store, projection, from, planned);
  }
}

/** Finds the event that cannot be kept, and keeps all before it. */
async function keepOneByOne(
  store: ReadStore,
  projection: Projection,
  from: string,
  planned: readonly Planned[],
): Promise<string | undefined> {
  let reached: string | undefined = from;
  for (const one of planned) {
    if (reached === undefined) return undefined;
    reached = await keep(store, projection, reached, [one]);
  }
  return reached;
}
