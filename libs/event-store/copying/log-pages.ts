import type { EventStore, StoredEvent } from '../event-store.js';
import type { Position } from '../position.js';
import type { StreamNames } from '../stream-names.js';
import { isCopied } from './log-pair.js';

const PAGE = 128;

/** A part of a log: the events after `after`, up to and with `until`. Default: from its start, to its end. */
interface LogPart {
  readonly after?: Position | undefined;
  readonly until?: Position | undefined;
  /** Whether the part has this stream. Default: the streams that a copy has. */
  readonly has?: (names: StreamNames, stream: string) => boolean;
}

/** A part of the log, in log order, in pages that may be empty. */
export async function* logPages(
  store: EventStore,
  names: StreamNames,
  { after, until, has = isCopied }: LogPart,
): AsyncGenerator<readonly StoredEvent[]> {
  let from = after;
  for (;;) {
    const page = await store.readAll({ limit: PAGE, ...(from !== undefined && { from }) });
    if (page.length === 0) return;
    const wanted = until === undefined ? page : page.filter(({ position }) => position <= until);
    yield wanted.filter(({ stream }) => has(names, stream));
    from = page.at(-1)?.position;
    if (wanted.length < page.length) return;
  }
}

/** `logPages`, event by event. */
export async function* logEvents(
  store: EventStore,
  names: StreamNames,
  part: LogPart,
): AsyncGenerator<StoredEvent, undefined> {
  for await (const page of logPages(store, names, part)) yield* page;
  return undefined;
}
