// The names of these events and of their members are the storage format: logs of every release hold them.
// Add members as optional ones; to rename or to change a meaning, raise the version and write an upcaster.
import type { DeclaredEvents } from '#lib/event-store';
import type { Event } from '#lib/kernel';

/** The owner of the task, in each event of a person's act on it. */
export type OfTask = {
  /** The stream that waits, without the prefix of the log. Absent before 0.3. */
  readonly owner?: { readonly stream: string };
};

/** A person has the task for themselves until a time, unless its owner waits again before. */
export type TaskClaimed = Event<
  'TaskClaimed',
  OfTask & {
    readonly by: string;
    /** ISO 8601, UTC. */
    readonly until: string;
    /** The wait that is claimed. */
    readonly version: number;
  }
>;

export type TaskReleased = Event<'TaskReleased', OfTask & { readonly by: string }>;

/** Only this person can answer; `null` ends the restriction. */
export type TaskAssigned = Event<
  'TaskAssigned',
  OfTask & { readonly by: string; readonly personId: string | null }
>;

export type TaskCommented = Event<'TaskCommented', OfTask & { readonly by: string; readonly text: string }>;

/** An attempt that was not allowed or came too late. Recorded once for each person and code. */
export type TaskAttemptRefused = Event<
  'TaskAttemptRefused',
  OfTask & { readonly by: string; readonly code: string }
>;

/** The events of a stream of the category `task`: the acts of people on a task besides its answer. Replay reads none of them. */
export type TaskEvent = TaskClaimed | TaskReleased | TaskAssigned | TaskCommented | TaskAttemptRefused;

const ofTask = { owner: { stream: 'structure' } } as const;

/** The event catalogue's entries: the current schema version of each type, and the kinds of its members. */
export const taskEventDefinitions: DeclaredEvents<TaskEvent> = {
  TaskClaimed: {
    version: 1,
    members: { ...ofTask, by: 'structure', until: 'structure', version: 'structure' },
  },
  TaskReleased: { version: 1, members: { ...ofTask, by: 'structure' } },
  TaskAssigned: { version: 1, members: { ...ofTask, by: 'structure', personId: 'structure' } },
  TaskCommented: { version: 1, members: { ...ofTask, by: 'structure', text: 'content' } },
  TaskAttemptRefused: { version: 1, members: { ...ofTask, by: 'structure', code: 'structure' } },
};
