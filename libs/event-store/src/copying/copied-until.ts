import type { EventStore, StoredEvent } from '../event-store.js';
import type { Position } from '../position.js';
import type { StreamNames } from '../stream-names.js';
import { isCopied } from './copied-streams.js';
import { holdsOther } from './copy-refused.js';
import { sameEvent } from './same-event.js';

const PAGE = 16;

/**
 * How far an earlier copy came: the source's position of the last event that the target has; `undefined` where it has none.
 * A copy appends in log order, one append after the other, so that everything before that event is in the target too.
 * @throws CopyRefused when the source does not have that event there
 */
export async function copiedUntil(
  source: EventStore,
  target: EventStore,
  names: StreamNames,
): Promise<Position | undefined> {
  const last = await lastCopied(target, names);
  if (!last) return undefined;
  const [same] = await source.readStream(last.stream, { from: last.revision, limit: 1 });
  if (same && sameEvent(same, last)) return same.position;
  const why = same
    ? 'it is not the event that the source has there'
    : 'the source has no such event, so the target is no copy of it, or was written to since';
  throw holdsOther(last.stream, last.revision, why);
}

async function lastCopied(target: EventStore, names: StreamNames): Promise<StoredEvent | undefined> {
  let from: Position | undefined;
  for (;;) {
    const page = await target.readAll({
      limit: PAGE,
      direction: 'backwards',
      ...(from !== undefined && { from }),
    });
    const found = page.find(({ stream }) => isCopied(names, stream));
    if (found || page.length === 0) return found;
    from = page.at(-1)?.position;
  }
}
