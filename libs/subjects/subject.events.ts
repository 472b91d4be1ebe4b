// The names of these events and of their members are the storage format: logs of every release hold them.
// Add members as optional ones; to rename or to change a meaning, raise the version and write an upcaster.
import type { DeclaredEvents } from '#lib/event-store';
import type { Event } from '#lib/kernel';

/** The subject is erased from here on: its key is used no more, even if it is still there. */
export type SubjectErased = Event<
  'SubjectErased',
  {
    readonly subject: string;
    /** A person, or `operator`. */
    readonly by: string;
    readonly reason?: string;
    /** How many streams were about it. */
    readonly streams: number;
  }
>;

/** Its key is destroyed, and rows have nothing of its content. */
export type SubjectErasureEnded = Event<'SubjectErasureEnded', Record<string, never>>;

/** A history about it leaves the log: recorded before the first line of the file is given. */
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
