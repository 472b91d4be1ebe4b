// The names of these events and of their members are the storage format: logs of every release hold them.
// Add members as optional ones; to rename or to change a meaning, raise the version and write an upcaster.
import type { DeclaredEvents } from '#lib/event-store';
import type { Event, Json, JsonObject } from '#lib/kernel';

/** The answer to a keyed call, if no other event holds it: a repeat gets this answer, even after later changes. */
type AnswerRecorded = Event<
  'AnswerRecorded',
  {
    /** Its id, with the names in its path. */
    readonly operation: string;
    /** Of the input (`Fingerprint.text`); the plain SHA-256 before 0.3. */
    readonly fingerprint: string;
    readonly status: 200 | 201;
    readonly body: Json;
  }
>;

/** The target of a keyed call whose command chooses it or whose body names it: a repeat of the call has the same target. */
type KeyBound = Event<
  'KeyBound',
  {
    /** Its id, with the names in its path. */
    readonly operation: string;
    /** The ids of the chosen objects, by name. Streams are named without the prefix of the log. */
    readonly target: JsonObject;
  }
>;

/** The events of a stream of the category `call`; its id is the command's. */
export type CallEvent = KeyBound | AnswerRecorded;

export const callEventDefinitions: DeclaredEvents<CallEvent> = {
  AnswerRecorded: {
    version: 1,
    members: { operation: 'structure', fingerprint: 'derived', status: 'structure', body: 'content' },
    blanks: { '/body': null },
  },
  KeyBound: { version: 1, members: { operation: 'structure', target: 'structure' } },
};
