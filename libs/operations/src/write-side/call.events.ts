// The names of these events and of their members are the storage format: logs of every release hold them.
// Add members as optional ones; to rename or to change a meaning, raise the version and write an upcaster.
import type { EventDefinitions } from '#lib/event-store';
import type { Event, Json } from '#lib/kernel';

/** The answer to a keyed call, if no other event holds it: a repeat gets this answer, even after later changes. */
export type AnswerRecorded = Event<
  'AnswerRecorded',
  {
    /** With what its path names. */
    readonly operation: string;
    /** SHA-256 over the input: tells a repeat from another call under the same key. */
    readonly fingerprint: string;
    readonly status: 200 | 201;
    readonly body: Json;
  }
>;

/** The event of a stream of the category `call`; its id is the command's. */
export type CallEvent = AnswerRecorded;

export const callEventDefinitions: EventDefinitions<CallEvent> = { AnswerRecorded: { version: 1 } };
