import { type EventLog, formatPosition, type Position, sequenceOf } from '#lib/event-store';

/** The events of a log after one position, up to and with another one. Without `after` from the beginning, without `upTo` to the end. */
export interface LogRange {
  readonly after?: Position;
  readonly upTo?: Position;
}

/** Some pages beyond its end are read with each range, for streams that go on there: shorter ranges read more of the log twice. */
const EVENTS_OF_RANGE = 25_000;
const EVENTS_OF_PAGE = 1000;

/**
 * Cuts a log into consecutive ranges. The last one has no end: it takes the events that are appended meanwhile.
 * @param most events of a range; where positions have gaps, this many and the rest of a page
 */
export async function* rangesOf(
  { store }: Pick<EventLog, 'store'>,
  most = EVENTS_OF_RANGE,
): AsyncGenerator<LogRange> {
  let range: LogRange = {};
  for await (const upTo of store.positionsAreGapFree ? countedEnds(store, most) : readEnds(store, most)) {
    yield { ...range, upTo };
    range = { after: upTo };
  }
  yield range;
}

/** Reads no event. */
async function* countedEnds(store: EventLog['store'], most: number): AsyncGenerator<Position> {
  const head = await store.head();
  const last = head === undefined ? 0 : Number(sequenceOf(store.logId, head));
  for (let end = most; end < last; end += most) yield formatPosition(store.logId, end);
}

/** Where positions have gaps of any size. */
async function* readEnds(store: EventLog['store'], most: number): AsyncGenerator<Position> {
  const limit = Math.min(most, EVENTS_OF_PAGE);
  let from: Position | undefined;
  for (let read = 0; ;) {
    const page = await store.readAll({ ...(from && { from }), limit });
    from = page.at(-1)?.position;
    if (from === undefined || page.length < limit) return;
    read += limit;
    if (read < most) continue;
    yield from;
    read = 0;
  }
}
