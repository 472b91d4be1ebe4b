import { AppendTooLarge, InvalidAppend } from './errors.js';
import type { EventToStore, ExpectedRevision, StreamAppend } from './event-store.js';

/** The limit of one append in every store, in bytes. EventStoreDB's own limit is a little higher: 1,048,576. */
export const LARGEST_APPEND = 1_000_000;

/** Added for each event, for the members that stores keep besides its texts: its ids, and some of them again in its metadata. */
const AROUND_AN_EVENT = 256;

const MOST_BYTES_OF_A_CHARACTER = 3;

/** The size of an append: its stream's name, types, data and metadata as UTF-8, and 256 bytes for each event. */
export function appendSize(stream: string, events: readonly EventToStore[]): number {
  return events.reduce((sum, event) => sum + eventSize(event), Buffer.byteLength(stream));
}

function eventSize({ type, data, metadata }: EventToStore): number {
  return Buffer.byteLength(type) + Buffer.byteLength(data) + Buffer.byteLength(metadata) + AROUND_AN_EVENT;
}

/** Whether one append may hold these events. The bytes are counted only if the lengths of the texts do not decide it. */
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
    'Nothing was written. Send less at once: only single values of more than 262144 bytes are stored apart',
  );
}

/** An unpaired surrogate. No UTF-8 text can hold it, so no store could return the text unchanged. */
const UNPAIRED = /\p{Surrogate}/u;

/**
 * Refuses appends that only a bug can ask for, and appends that are too large. Each adapter calls it first.
 * @throws InvalidAppend @throws AppendTooLarge
 */
export function checkAppend({ stream, expected, events }: StreamAppend): void {
  const problem = problemOf(stream, expected, events);
  if (problem !== undefined) {
    throw new InvalidAppend(`cannot append to ${stream}`, problem, 'This is a bug in the code that appends');
  }
  checkAppendSize(stream, events);
}

function problemOf(
  stream: string,
  expected: ExpectedRevision,
  events: readonly EventToStore[],
): string | undefined {
  if (stream === '') return 'a stream needs a name';
  if (events.length === 0) return 'there are no events';
  if (typeof expected === 'number' && !(Number.isSafeInteger(expected) && expected >= 0)) {
    return `${expected} is not a revision`;
  }
  if (new Set(events.map(({ eventId }) => eventId)).size < events.length) return 'an event id occurs twice';
  if (UNPAIRED.test(stream) || events.some(holdsUnpaired)) return 'a text holds an unpaired surrogate';
  return undefined;
}

function holdsUnpaired({ eventId, type, data, metadata }: EventToStore): boolean {
  return UNPAIRED.test(data) || UNPAIRED.test(metadata) || UNPAIRED.test(eventId) || UNPAIRED.test(type);
}
