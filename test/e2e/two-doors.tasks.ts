import type { Redial } from '#lib/engine';
import type { Filters } from './two-doors.filters.js';

export type Task = Awaited<ReturnType<Redial['listTasks']>>['items'][number];

/** The people who may answer, with their groups. */
export const PEOPLE: { readonly [personId: string]: readonly string[] } = {
  ann: ['buyers'],
  bob: ['buyers', 'heads'],
  cy: [],
};

const OF_ABOUT = ['sessionId', 'runId', 'machineName', 'workflow', 'key'] as const;
const all = { status: 'all' };

export const isOpen = ({ status }: Task) => status === 'open' || status === 'claimed';

/** Whether a person may answer a task, by what the task says of who may. */
export function mayAnswer(personId: string, task: Task): boolean {
  const { candidates, approvals, assignee, excluded, kind } = task;
  if (excluded.includes(personId) || approvals.given.some(({ by }) => by === personId)) return false;
  if (assignee !== undefined) return assignee === personId;
  const { people, groups } = candidates;
  const isForAll = people.length + groups.length === 0 && kind !== 'decision';
  return isForAll || people.includes(personId) || groups.some((one) => PEOPLE[personId]?.includes(one));
}

/** Each filter of the list of tasks. */
export function taskFilters(tasks: readonly Task[]): Filters<Task> {
  const values = (read: (task: Task) => unknown) => [
    ...new Set(tasks.map(read).filter((one) => one !== undefined)),
  ];
  return [
    ...values(({ status }) => status).map(
      (status) => [{ status }, (task: Task) => task.status === status] as const,
    ),
    ...values(({ kind }) => kind).map(
      (kind) => [{ ...all, kind }, (task: Task) => task.kind === kind] as const,
    ),
    ...OF_ABOUT.flatMap((name) => {
      const read = ({ about }: Task) => (about as Readonly<Record<string, unknown>>)[name];
      return values(read).map(
        (value) => [{ ...all, [name]: value }, (task: Task) => read(task) === value] as const,
      );
    }),
    ...['true', 'false'].map(
      (overdue) => [{ ...all, overdue }, (task: Task) => String(task.overdue) === overdue] as const,
    ),
    ...Object.keys(PEOPLE).flatMap((by) => [
      [{ candidate: by }, (task: Task) => isOpen(task) && mayAnswer(by, task)] as const,
      [{ ...all, assignee: by }, ({ assignee }: Task) => assignee === by] as const,
      [{ ...all, claimedBy: by }, ({ claimedBy }: Task) => claimedBy === by] as const,
    ]),
  ];
}

/** The counts of a person, by the tasks themselves. */
export function countsOf(personId: string, tasks: readonly Task[]): object {
  const count = (fits: (task: Task) => boolean) => tasks.filter(fits).length;
  const isMine = ({ claimedBy, assignee }: Task) => claimedBy === personId || assignee === personId;
  return {
    open: count(({ status }) => status === 'open'),
    claimed: count(({ status }) => status === 'claimed'),
    overdue: count((task) => isOpen(task) && task.overdue),
    mine: count((task) => isOpen(task) && isMine(task)),
    claimable: count((task) => task.status === 'open' && mayAnswer(personId, task)),
  };
}
