import type { DocOf, FoldPage } from '#lib/read-models';
import { taskTotals, type tasksTable } from './tasks.tables.js';

type TaskDoc = DocOf<typeof tasksTable>;
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
