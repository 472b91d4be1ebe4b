import { Command } from '@nestjs/cqrs';
import {
  answeredBy,
  currentContext,
  Describe,
  IsId,
  IsTime,
  markFleeting,
  Operation,
  Optional,
  ReadModels,
} from '#lib/operations';
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
})
export class ExtendTask extends Command<Task> {
  @IsId(unknownTask) taskId!: string;

  @Describe('From now to 366 days', { example: '2027-01-01T12:00:00Z' })
  @Optional()
  @IsTime()
  dueAt?: string;

  @Describe('From now to 366 days: then it takes no answers', { example: '2027-01-02T12:00:00Z' })
  @Optional()
  @IsTime()
  expiresAt?: string;
}

export const ExtendTaskHandler = answeredBy(
  ExtendTask,
  [ReadModels, Tasks],
  async ({ taskId, ...times }, rows, tasks) => {
    markFleeting();
    const moved = movedTimes(times, tasks.now());
    return tasks.extend(await ownerOf(rows, taskId), moved, currentContext());
  },
);
