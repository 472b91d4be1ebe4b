import type { EventStore } from '#lib/event-store';
import { RedialError } from '#lib/kernel';

/** The place of a loop's rows. */
export interface StoredPlace {
  readonly name: string;
  readonly version: number;
  /** "" before the first event. */
  readonly position: string;
}

/** The read store was filled from another log, or the log has lost events since. */
export class CheckpointMismatch extends RedialError {}

const OTHER = 'Point the settings at the read store that belongs to this log';
const FIX_OTHER = `${OTHER}, or remove the read store, which is filled again from the log, and run \`redial log claim\``;
const FIX_AHEAD = `${OTHER}; or, where the log was brought back from a backup, stop what runs on it and run \`redial log claim\`, which empties the read store: it is filled again from the log`;

/** `head` must be read after the place: then no place can be past it. @throws CheckpointMismatch */
export function checkPlace(
  { name, version, position }: StoredPlace,
  { logId }: Pick<EventStore, 'logId'>,
  head: string | undefined,
): void {
  if (position === '') return;
  const what = `the loop ${name} version ${version} cannot go on from ${position}`;
  if (!position.startsWith(`${logId}.`)) {
    throw new CheckpointMismatch(what, `it is not a position of the log ${logId}`, FIX_OTHER);
  }
  if (head === undefined || position > head) {
    throw new CheckpointMismatch(
      what,
      `the log ends ${head === undefined ? 'empty' : `at ${head}`}`,
      FIX_AHEAD,
    );
  }
}
