import { InvalidAppend } from './errors.js';
import type { EventToStore, ExpectedRevision } from './event-store.js';

/** An unpaired surrogate: no UTF-8 text can hold it, so no store could give it back to the letter. */
const UNPAIRED = /\p{Surrogate}/u;

/** Refuses what only a bug can ask for. Each adapter calls it first. @throws InvalidAppend */
export function checkAppend(
  stream: string,
  expected: ExpectedRevision,
  events: readonly EventToStore[],
): void {
  const problem = problemOf(stream, expected, events);
  if (problem === undefined) return;
  throw new InvalidAppend(`cannot append to ${stream}`, problem, 'This is a bug in the code that appends');
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
  if (new Set(events.map((event) => event.eventId)).size < events.length) return 'an event id occurs twice';
  const texts = events.flatMap((event) => [event.eventId, event.type, event.data, event.metadata]);
  if ([stream, ...texts].some((text) => UNPAIRED.test(text))) return 'a text holds an unpaired surrogate';
  return undefined;
}
