// The names of these events and of their members are the storage format: logs of every release hold them.
// Add members as optional ones; to rename or to change a meaning, raise the version and write an upcaster.
import type { DeclaredEvents } from '#lib/event-store';
import type { Event } from '#lib/kernel';

/** Derived. A task that is not answered will soon be due. Instants are ISO 8601, UTC. */
export type TaskReminded = Event<'TaskReminded', { readonly taskId: string; readonly dueAt: string }>;

/** Derived. A task is due, and not answered. */
export type TaskOverdue = Event<'TaskOverdue', { readonly taskId: string; readonly dueAt: string }>;

/** Derived. Further people can answer a task from here on. */
export type TaskEscalated = Event<
  'TaskEscalated',
  {
    readonly taskId: string;
    readonly groups: readonly string[];
    readonly people: readonly string[];
    /** `false`: the earlier candidates can no longer answer. */
    readonly keep: boolean;
  }
>;

/** The events that `due_times` records. */
export type DueTimesEvent = TaskReminded | TaskOverdue | TaskEscalated;

/** The event catalogue's entries: the current schema version of each type, and the kinds of its members. */
export const dueTimesEventDefinitions: DeclaredEvents<DueTimesEvent> = {
  TaskReminded: { version: 1, members: { taskId: 'structure', dueAt: 'structure' } },
  TaskOverdue: { version: 1, members: { taskId: 'structure', dueAt: 'structure' } },
  TaskEscalated: {
    version: 1,
    members: { taskId: 'structure', groups: 'structure', people: 'structure', keep: 'structure' },
  },
};
