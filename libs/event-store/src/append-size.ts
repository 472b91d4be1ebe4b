import { AppendTooLarge } from './errors.js';
import type { EventToStore } from './event-store.js';

/** The limit of one append on every engine, in bytes. EventStoreDB's own limit is a little higher: 1,048,576. */
export const LARGEST_APPEND = 1_000_000;

/** Counted for each event, for what engines keep around its texts: its ids, and some of them again in its metadata. */
const AROUND_AN_EVENT = 256;

const MOST_BYTES_OF_A_CHARACTER = 3;

/** The size of an append: its stream's name, types, data and metadata as UTF-8, and 256 bytes for each event. */
export function appendSize(stream: string, events: readonly EventToStore[]): number {
  return events.reduce((sum, event) => sum + eventSize(event), Buffer.byteLength(stream));
}

function eventSize({ type, data, metadata }: EventToStore): number {
  return Buffer.byteLength(type) + Buffer.byteLength(data) + Buffer.byteLength(metadata) + AROUND_AN_EVENT;
}

/** Whether one append may hold these events. The bytes are counted only where the length of a text does not settle it. */
export function fitsOneAppend(stream: string, events: readonly EventToStore[]): boolean {
  let characters = stream.length;
  for (const { type, data, metadata } of events) characters += type.length + data.length + metadata.length;
  const atMost = characters * MOST_BYTES_OF_A_CHARACTER + events.length * AROUND_AN_EVENT;
  return atMost <= LARGEST_APPEND || appendSize(stream, events) <= LARGEST_APPEND;
}

/** @throws AppendTooLarge */
export function checkAppendSize(stream: string, events: readonly EventToStore[]): void {
  if (fitsOneAppend(stream, events)) return;
  const [largest] = events.toSorted((one, other) => eventSize(other) - eventSize(one));
  const held = `${events.length} events of ${appendSize(stream, events)} bytes`;
  const most = largest && `the largest is ${largest.type} with ${eventSize(largest)}`;
  throw new AppendTooLarge(
    `cannot append to ${stream}`,
    `${held}, of which ${most}, are more than the ${LARGEST_APPEND} bytes that one append may hold`,
    'Nothing was written. Send less at once: only single members of more than 262144 bytes are stored apart',
  );
}
