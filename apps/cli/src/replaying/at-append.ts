import { copiedIn } from '#lib/event-store';
import type { RootInLog } from '#lib/histories/core';
import type { RecordedEvent } from '#lib/kernel';
import { commandsOf } from '#lib/runs/runs/core';
import { rootAt } from '../engine/with-root.js';

/**
 * A root at a moment. A moment inside an append is moved to its end: the events of a command are derived together, and so are copied ones.
 * @throws RejectionError for a moment that is malformed, or not of it
 */
export async function rootAtAppend(root: RootInLog, at: string | undefined): Promise<RootInLog> {
  const past = await rootAt(root, at);
  if (at === undefined) return past;
  const { length } = await past.log.readStream(past.stream);
  const end = endOfAppend(await root.log.readStream(root.stream), length, root.root.kind);
  return end === length ? past : rootAt(root, String(end - 1));
}

/** The number of events up to the end of the append that has the last of these events. */
function endOfAppend(
  events: readonly RecordedEvent[],
  length: number,
  kind: RootInLog['root']['kind'],
): number {
  let end = copiedIn(events);
  // The events of a run are compared one by one.
  if (kind === 'run') return Math.max(end, length);
  for (const command of commandsOf(events.slice(end))) {
    if (end >= length) break;
    end += command.length;
  }
  return Math.max(end, length);
}
