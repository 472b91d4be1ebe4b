import type { EventStore, StoredEvent } from '#lib/event-store';
import { fromStore } from './proposed-event.js';
import type { StandInLog } from './stand-in-log.js';

const LINK_TYPE = '$>';
const TARGET = /^(?<revision>\d+)@(?<stream>.+)$/s;

/**
 * The target of a link, for a call that wants links resolved. `null`: it is hidden, or was never there; `undefined`: the
 * event is not a link, or the call wants it as it is.
 */
export async function targetOf(
  log: StandInLog,
  shown: EventStore,
  event: StoredEvent,
  resolveLinks: boolean,
): Promise<StoredEvent | null | undefined> {
  if (!resolveLinks || event.type !== LINK_TYPE) return undefined;
  const text = Buffer.from(fromStore(event).data).toString('utf8');
  const { revision, stream = '' } = TARGET.exec(text)?.groups ?? {};
  const readable = log.readable(stream);
  if (revision === undefined || readable === 'tombstoned' || Number(revision) < readable.from) return null;
  const [target] = await shown.readStream(stream, { from: Number(revision), limit: 1 });
  return target ?? null;
}
