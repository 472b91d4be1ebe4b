import type { EventLog } from '#lib/event-store';
import { reject, type RecordedEvent, type Rejection } from '#lib/kernel';

/** The types of the events that decide something. */
const DECISIONS = ['TransitionExecuted', 'TurnTaken'];

/**
 * The event at a revision of a stream; without one the last decision, else the last event.
 * @returns `undefined` for a stream without events
 */
export async function targetOf(
  log: EventLog,
  stream: string,
  revision: number | undefined,
): Promise<RecordedEvent | Rejection | undefined> {
  const events = await log.readStream(stream);
  if (revision === undefined) return events.findLast(({ type }) => DECISIONS.includes(type)) ?? events.at(-1);
  const last = events.at(-1);
  return last && (events[revision] ?? noSuchRevision(stream, revision, last.revision));
}

function noSuchRevision(stream: string, revision: number, last: number): Rejection {
  return reject('unknown', 'unknown-revision', {
    what: `revision ${revision} of ${stream}`,
    why: `its last one is ${last}`,
    fix: `Ask for a revision from 0 to ${last}`,
  });
}
