import type { EventLog, StoredEvent } from '#lib/event-store';
import { reject, type RecordedEvent, type Rejection } from '#lib/kernel';

/** The types of the events of decisions. */
const DECISIONS = ['TransitionExecuted', 'TurnTaken'];

/**
 * The event at a revision of a stream; without a revision the last decision, else the last event.
 * @returns `undefined` for a stream without events
 */
export async function targetOf(
  log: EventLog,
  stream: string,
  revision: number | undefined,
): Promise<RecordedEvent | Rejection | undefined> {
  let found: StoredEvent | undefined;
  let last: StoredEvent | undefined;
  for await (const stored of log.eachStored(stream)) {
    last = stored;
    if (revision === undefined ? DECISIONS.includes(stored.type) : stored.revision === revision)
      found = stored;
  }
  if (revision === undefined) found ??= last;
  if (found) return log.decodeWithin(found);
  return last && noSuchRevision(stream, revision ?? 0, last.revision);
}

function noSuchRevision(stream: string, revision: number, last: number): Rejection {
  return reject('unknown', 'unknown-revision', {
    what: `revision ${revision} of ${stream}`,
    why: `its last one is ${last}`,
    fix: `Ask for a revision from 0 to ${last}`,
  });
}
