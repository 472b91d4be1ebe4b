import type { DocOf, FoldPage } from '#lib/read-models';
import { type tasksTable, taskTotals } from './tasks.tables.js';

type TaskDoc = DocOf<typeof tasksTable>;

/** The order by due time: tasks without one come last, the oldest first. */
export function dueOrder({ since, dueAt, number }: Pick<TaskDoc, 'since' | 'dueAt' | 'number'>): string {
  return inOrder(`${dueAt ?? '~'} ${since}`, number);
}

/** Tasks with the same value are in the order of their first waits. */
export function inOrder(value: string, number: number | string): string {
  return `${value} ${String(number).padStart(16, '0')}`;
}

/** Sets when a task is due, with its place in that order. */
export function setDue(task: TaskDoc, dueAt: string | undefined): void {
  Object.assign(task, { dueAt, byDue: dueOrder({ ...task, dueAt }) });
}

type Status = TaskDoc['status'];

/** Sets the status of a task, and counts it there. */
export function setStatus(page: FoldPage, task: TaskDoc, status: Status): void {
  count(page, status, task.status);
  task.status = status;
}

/** @param before undefined for a task that is new */
export function count(page: FoldPage, status: Status, before: Status | undefined): void {
  if (before === status) return;
  if (before) page.count(taskTotals, { status: before, tasks: -1 });
  page.count(taskTotals, { status, tasks: 1 });
}
