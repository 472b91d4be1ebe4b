import { IsArray, IsBoolean, IsIn, IsObject, IsString } from 'class-validator';
import type { JsonObject } from '#lib/kernel';
import { Describe, IsA, IsId, IsListOf, IsName, IsTime, IsWhole, Optional } from '#lib/operations';
import { TASK_KINDS, TASK_STATUSES, type TaskKind, type TaskStatus } from './task.family.js';

class TaskChoiceView {
  @IsString() choice!: string;
  @Optional() @IsString() transitionName?: string;
  @Optional() @IsString() toState?: string;
  @Optional() @IsId() proposalId?: string;

  @Describe('The closed JSON Schema of the body that makes this choice')
  @IsObject()
  schema!: JsonObject;
}

class CandidatesView {
  @IsArray() @IsString({ each: true }) people!: readonly string[];
  @IsArray() @IsString({ each: true }) groups!: readonly string[];
}

class GivenApproval {
  @IsName() by!: string;
  @IsTime() at!: string;
  @IsString() choice!: string;
  @Optional() @IsString() transitionName?: string;
}

class ApprovalsView {
  @IsWhole(1) needed!: number;
  @IsListOf(GivenApproval) given!: readonly GivenApproval[];
}

class TaskComment {
  @IsName() by!: string;
  @IsTime() at!: string;
  @IsString() text!: string;
}

class TaskAnswerView {
  @Describe('The person')
  @IsString()
  by!: string;

  @IsTime() at!: string;
  @IsString() choice!: string;
  @Optional() @IsId() proposalId?: string;
  @Optional() @IsString() transitionName?: string;
  @Optional() @IsObject() metaJson?: JsonObject;
  @Optional() @IsString() reason?: string;

  @Describe('The arguments differ from those of the accepted proposal')
  @IsBoolean()
  edited!: boolean;
}

/** A question that waits or waited for people, with everything that an answer needs. */
export class Task {
  @IsId() taskId!: string;

  @Describe('How often it has waited')
  @IsWhole(1)
  version!: number;

  @IsIn(TASK_KINDS) kind!: TaskKind;
  @IsIn(TASK_STATUSES) status!: TaskStatus;
  @IsString() title!: string;
  @IsString() question!: string;

  @Describe('Why people are asked, as a word')
  @IsString()
  reason!: string;

  @Describe('The same as a sentence')
  @IsString()
  detail!: string;

  @Describe('The session, its machine, state, round and metaJson')
  @IsObject()
  about!: JsonObject;

  @Describe('The open proposals of the round, each with the alignment of its author')
  @Optional()
  @IsArray()
  proposals?: readonly object[];

  @IsListOf(TaskChoiceView) choices!: readonly TaskChoiceView[];

  @Describe('SHA-256 of what is shown: an answer to a decision sends it back')
  @IsString()
  digest!: string;

  @IsA(CandidatesView) candidates!: CandidatesView;
  @IsArray() @IsString({ each: true }) excluded!: readonly string[];
  @IsA(ApprovalsView) approvals!: ApprovalsView;

  @Describe('The only person who can answer')
  @Optional()
  @IsName()
  assignee?: string;

  @Optional() @IsName() claimedBy?: string;
  @Optional() @IsTime() claimedUntil?: string;
  @IsWhole(0, 100) priority!: number;

  @Describe('The beginning of the last wait')
  @IsTime()
  since!: string;

  @IsBoolean() overdue!: boolean;
  @IsWhole() escalated!: number;
  @IsListOf(TaskComment) comments!: readonly TaskComment[];
  @Optional() @IsA(TaskAnswerView) answer?: TaskAnswerView;
  @IsBoolean() isFork!: boolean;
}

/** An answer that was taken. */
export class AnsweredTask {
  @IsA(Task) task!: Task;

  @Describe('The session after it')
  @Optional()
  @IsObject()
  session?: object;
}

export class Counts {
  @Describe('Without those that are claimed')
  @IsWhole()
  open!: number;

  @IsWhole() claimed!: number;
  @IsWhole() overdue!: number;

  @Describe('Claimed by or assigned to the caller')
  @IsWhole()
  mine!: number;
}
