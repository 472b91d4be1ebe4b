import { type EventLog, type NewEvent, RevisionConflict } from '#lib/event-store';
import type { Event } from '#lib/kernel';

/**
 * Begins a workflow unless somebody has.
 * @param prepare makes its start event; asked only where its stream is empty
 * @returns the start event that its stream has
 */
export async function beginOnce<E extends Event>(
  log: EventLog,
  stream: string,
  prepare: () => Promise<NewEvent<E>>,
): Promise<E> {
  const there = await startOf<E>(log, stream);
  if (there) return there;
  const entry = await prepare();
  try {
    await log.append(stream, 'no-stream', [entry]);
    return entry.event;
  } catch (error) {
    if (!(error instanceof RevisionConflict)) throw error;
    return (await startOf<E>(log, stream)) ?? entry.event;
  }
}

async function startOf<E extends Event>(log: EventLog, stream: string): Promise<E | undefined> {
  const [start] = await log.readStream<E>(stream, { limit: 1 });
  return start;
}
