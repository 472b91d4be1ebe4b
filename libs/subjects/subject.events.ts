// The names of these events and of their members are the storage format: logs of every release hold them.
// Add members as optional ones; to rename or to change a meaning, raise the version and write an upcaster.
import type { DeclaredEvents } from '#lib/event-store';
import type { Event } from '#lib/kernel';

/** The subject is erased from here on: its key is no longer used, even if it still exists. */
export type SubjectErased = Event<
  'SubjectErased',
  {
    readonly subject: string;
    /** A person, or `operator`. */
    readonly by: string;
    readonly reason?: string;
    /** The number of streams about it. */
    readonly streams: number;
  }
>;

/** Its key is destroyed, and rows have none of its content. */
export type SubjectErasureEnded = Event<'SubjectErasureEnded', Record<string, never>>;

/** A history about it is exported: recorded before the first line of the file is sent. */
export type HistoryExported = Event<
  'HistoryExported',
  {
    readonly kind: 'session' | 'run' | 'conversation';
    /** Of the session, run or conversation. */
    readonly id: string;
    /** A person, or `operator`. */
    readonly by: string;
    /** Whether the file has the key of the subject: its content can be read until the file is deleted. */
    readonly hasKey: boolean;
  }
>;

/** The events of a stream of the category `subject`; its id is the subject. */
export type SubjectEvent = SubjectErased | SubjectErasureEnded | HistoryExported;

/** The event catalogue's entries. The reason is of the operator, and about no content. */
export const subjectEventDefinitions: DeclaredEvents<SubjectEvent> = {
  SubjectErased: {
    version: 1,
    members: { subject: 'structure', by: 'structure', reason: 'content', streams: 'structure' },
  },
  SubjectErasureEnded: { version: 1, members: {} },
  HistoryExported: {
    version: 1,
    members: { kind: 'structure', id: 'structure', by: 'structure', hasKey: 'structure' },
  },
};
