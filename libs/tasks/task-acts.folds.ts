import { isOwnHumanOf } from '#lib/people/core';
import type { Folds, Ref } from '#lib/read-models';
import type { TaskEvent } from './task.events.js';
import { tasks } from './tasks.tables.js';

const taskOf = (_event: unknown, taskId: string): readonly Ref[] => [[tasks, taskId]];

export const UNCLAIMED = {
  claimedBy: undefined,
  claimedUntil: undefined,
  isOwnClaim: undefined,
  claimNumber: undefined,
};

const NOT_ASSIGNED = { assignee: undefined, assignmentNumber: undefined };

/** The acts of people on a task. A claim counts for one wait. */
export const onTask: Folds<TaskEvent> = {
  TaskClaimed: {
    needs: taskOf,
    fold: (page, { data: { by, until, version }, number: claimNumber }, taskId) => {
      const task = page.change(tasks, taskId);
      if (task?.version !== version) return;
      const isOwnClaim = task.sessionId ? isOwnHumanOf(by, task.sessionId) : false;
      Object.assign(task, { claimedBy: by, claimedUntil: until, isOwnClaim, claimNumber });
    },
  },
  TaskReleased: {
    needs: taskOf,
    fold: (page, _event, taskId) => {
      const task = page.change(tasks, taskId);
      if (task) Object.assign(task, UNCLAIMED);
    },
  },
  TaskAssigned: {
    needs: taskOf,
    fold: (page, { data: { personId }, number }, taskId) => {
      const task = page.change(tasks, taskId);
      if (!task) return;
      const isOthers = personId !== null && task.claimedBy !== personId;
      const assigned = personId === null ? NOT_ASSIGNED : { assignee: personId, assignmentNumber: number };
      Object.assign(task, assigned, isOthers && UNCLAIMED);
    },
  },
};
