import { IsObject, IsString, MaxLength } from 'class-validator';
import type { Json, JsonObject } from '#lib/kernel';
import {
  answeredBy,
  currentContext,
  Describe,
  IsJson,
  IsWhole,
  markFleeting,
  Operation,
  Optional,
  ReadModels,
} from '#lib/operations';
import { ownerOf, TaskCommandOf } from './task-command.js';
import { Tasks } from './tasks.js';
import { AnsweredTask } from './tasks.views.js';

@Operation({
  summary: 'Answer a task as a person, by one of its choices',
  http: 'POST /v1/tasks/:taskId/answer',
  mcp: false,
  access: 'reviewer',
  answers: { 200: AnsweredTask },
  problems: [502, 503],
  destructive: true,
})
export class AnswerTask extends TaskCommandOf<AnsweredTask> {
  @Describe('One of the choices of the task: accept, transition, approve, reject, answer', {
    example: 'accept',
  })
  @IsString()
  @MaxLength(64)
  choice!: string;

  @Describe('The digest of the task that was shown')
  @Optional()
  @IsString()
  digest?: string;

  @Describe('To accept: the proposal')
  @Optional()
  @IsString()
  proposalId?: string;

  @Describe('The transition')
  @Optional()
  @IsString()
  transitionName?: string;

  @Describe('The arguments of a transition; of a proposal that is accepted, in place of its own')
  @Optional()
  @IsObject()
  metaJson?: JsonObject;

  @Describe('To approve a call: the arguments in place of those that are shown')
  @Optional()
  @IsObject()
  arguments?: JsonObject;

  @Describe('To reject a call that was interrupted: its result')
  @Optional()
  @IsJson()
  result?: Json;

  @Describe('The answer to a question, as its schema wants it')
  @Optional()
  @IsJson()
  payload?: Json;

  @Describe('Why')
  @Optional()
  @IsString()
  @MaxLength(4_096)
  reason?: string;

  @Describe('The wait that is answered')
  @Optional()
  @IsWhole(1)
  version?: number;
}

export const AnswerTaskHandler = answeredBy(
  AnswerTask,
  [ReadModels, Tasks],
  async ({ taskId, actAs: _, ...body }, rows, tasks) => {
    markFleeting();
    return tasks.answer(await ownerOf(rows, taskId), body, currentContext());
  },
);
