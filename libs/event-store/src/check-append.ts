import { checkAppendSize } from './append-size.js';
import { InvalidAppend } from './errors.js';
import type { EventToStore, ExpectedRevision, StreamAppend } from './event-store.js';

/** An unpaired surrogate: no UTF-8 text can hold it, so no store could give it back to the letter. */
const UNPAIRED = /\p{Surrogate}/u;

/** Refuses what only a bug can ask for, and what is too much for one append. Each adapter calls it first. @throws InvalidAppend @throws AppendTooLarge */
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
  if (hasIdTwice(events)) return 'an event id occurs twice';
  if (UNPAIRED.test(stream) || events.some(holdsUnpaired)) return 'a text holds an unpaired surrogate';
  return undefined;
}

function hasIdTwice(events: readonly EventToStore[]): boolean {
  return events.length > 1 && new Set(events.map(({ eventId }) => eventId)).size < events.length;
}

function holdsUnpaired({ eventId, type, data, metadata }: EventToStore): boolean {
  return UNPAIRED.test(data) || UNPAIRED.test(metadata) || UNPAIRED.test(eventId) || UNPAIRED.test(type);
}
