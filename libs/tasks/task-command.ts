import { is, type ReadModels, standIn } from '#lib/operations';
import type { TaskOwner } from './task.family.js';
import { unknownTask } from './task.rejections.js';
import { findTask } from './tasks.queries.js';

/** The owner of a task, once the rows have the position that the call needs. @throws RejectionError */
export function ownerOf(rows: ReadModels, taskId: string): Promise<TaskOwner> {
  return rows.ask(['tasks'], async (db) => (await findTask(db, taskId)) ?? unknownTask(taskId));
}

/** A command of a person about a task. */
export const taskMembers = {
  taskId: is.idOf(unknownTask),
  actAs: standIn,
};
