import type { DocOf } from '#lib/read-models';
import type { tasksTable } from './tasks.tables.js';

type TaskDoc = DocOf<typeof tasksTable>;

/** Those without a time come last, the oldest first. */
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
