import type { EventStore } from '#lib/event-store';
import { RedialError } from '#lib/kernel';
import type { Checkpoint } from './checkpoints.js';

/** The read store was filled from another log, or from one that has lost events since. */
export class CheckpointMismatch extends RedialError {}

const FIX =
  'Point the settings at the read store that belongs to this log, or remove the read store: it is filled again from the log';

/** `head` must have been read after the checkpoints: then no checkpoint can have passed it. @throws CheckpointMismatch */
export function checkCheckpoint(
  { name, version, position }: Checkpoint,
  { logId }: Pick<EventStore, 'logId'>,
  head: string | undefined,
): void {
  if (position === '') return;
  const what = `projection ${name} version ${version} cannot go on from ${position}`;
  if (!position.startsWith(`${logId}.`)) {
    throw new CheckpointMismatch(what, `that is no position of the log ${logId}`, FIX);
  }
  if (head === undefined || position > head) {
    throw new CheckpointMismatch(what, `the log ends ${head === undefined ? 'empty' : `at ${head}`}`, FIX);
  }
}
