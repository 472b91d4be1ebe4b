import { Command } from '@nestjs/cqrs';
import { answeredBy, currentContext, input, is, markFleeting, Operation, ReadModels } from '#lib/operations';
import { ownerOf } from './task-command.js';
import { unknownTask } from './task.rejections.js';
import { movedTimes } from './moved-times.js';
import { Tasks } from './tasks.js';
import { Task } from './tasks.views.js';

@Operation({
  summary: 'Set when a task is due, and when it expires. One without times gets a clock',
  http: 'POST /v1/tasks/:taskId/extend',
  cli: 'tasks extend <taskId>',
  mcp: false,
  access: 'operator',
  answers: { 200: Task },
  problems: [410],
})
export class ExtendTask extends input(Command<Task>, {
  taskId: is.idOf(unknownTask),
  dueAt: is.time.optional.about('From now to 366 days', { example: '2027-01-01T12:00:00Z' }),
  expiresAt: is.time.optional.about('From now to 366 days: then it takes no answers', {
    example: '2027-01-02T12:00:00Z',
  }),
}) {}

export const ExtendTaskHandler = answeredBy(
  ExtendTask,
  [ReadModels, Tasks],
  async ({ taskId, ...times }, rows, tasks) => {
    markFleeting();
    const moved = movedTimes(times, tasks.now());
    return tasks.extend(await ownerOf(rows, taskId), moved, currentContext());
  },
);
