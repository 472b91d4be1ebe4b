import { setImmediate } from 'node:timers/promises';
import {
  type EventLog,
  formatPosition,
  HeldPage,
  type Position,
  sequenceOf,
  storedSize,
  type StoredEvent,
} from '#lib/event-store';
import type { Rejection } from '#lib/kernel';
import { numberInKey, type Page, pageOf, type PageRequest } from '#lib/read-models';
import { type EventTypes, isOneOf } from './shown-event.js';

const PAGE = 64;
/** The most events that are read for one page. A page of a rare type may have few items or none; the next page continues. */
const MOST_LOOKED_AT = 10_000;
const MOST_LOOKED_AT_BYTES = 32 * 1024 * 1024;

interface Which {
  readonly types: EventTypes;
  readonly from: Position | undefined;
}

/** One page of the log, in its order. The events and bytes that it reads, holds and answers are bounded. */
export function pageOfLog<Item>(
  { store }: EventLog,
  { types, from }: Which,
  request: PageRequest,
  show: (stored: StoredEvent) => Item | Promise<Item>,
): Promise<Page<Item> | Rejection> {
  const held = new HeldPage(PAGE);
  let [events, bytes] = [MOST_LOOKED_AT, MOST_LOOKED_AT_BYTES];
  return pageOf<StoredEvent, Item>(request, {
    list: 'events of the log',
    read: async (after) => {
      const place = after === undefined ? from : formatPosition(store.logId, numberInKey(after));
      const found = held.of(await store.readAll({ limit: held.limit, ...(place && { from: place }) }));
      await setImmediate();
      events -= found.length;
      bytes -= found.reduce((sum, stored) => sum + storedSize(stored), 0);
      // The last event is kept whatever its type: the next read begins after it.
      return found.filter((stored) => isOneOf(types, stored) || stored === found.at(-1));
    },
    then: (rows) => {
      if (rows.length === 0) return 'ended';
      return events <= 0 || bytes <= 0 ? 'next page' : 'read on';
    },
    keyOf: ({ position }) => sequenceOf(store.logId, position).toString(),
    toItems: (rows) => shownOf(rows, types, show),
  });
}

async function* shownOf<Item>(
  rows: readonly StoredEvent[],
  types: EventTypes,
  show: (stored: StoredEvent) => Item | Promise<Item>,
): AsyncGenerator<Item | undefined> {
  for (const stored of rows) yield isOneOf(types, stored) ? await show(stored) : undefined;
}
