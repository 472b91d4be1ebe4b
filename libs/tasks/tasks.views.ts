import { IsArray, IsBoolean, IsIn, IsObject, IsString } from 'class-validator';
import type { Json, JsonObject } from '#lib/kernel';
import { Describe, IsA, IsId, IsJson, IsListOf, IsName, IsTime, IsWhole, Optional } from '#lib/operations';
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
  @Optional() @IsObject() arguments?: JsonObject;
  @Optional() @IsJson() payload?: Json;
  @Optional() @IsString() reason?: string;

  @Describe('The arguments differ from those of the accepted proposal, or of the call')
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

  @Describe(
    'The session, its machine, state, round and metaJson; or the run, its wait, and the tool and call',
  )
  @IsObject()
  about!: JsonObject;

  @Describe('The open proposals of the round, each with the alignment of its author')
  @Optional()
  @IsArray()
  proposals?: readonly object[];

  @Describe('Of the call that is to be approved')
  @Optional()
  @IsObject()
  arguments?: JsonObject;

  @Describe('The question as a workflow put it')
  @Optional()
  @IsJson()
  prompt?: Json;

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

  @Describe('When it is to be answered')
  @Optional()
  @IsTime()
  dueAt?: string;

  @Describe('It is past `dueAt`, and open or claimed')
  @IsBoolean()
  overdue!: boolean;

  @Describe('When it takes no more answers')
  @Optional()
  @IsTime()
  expiresAt?: string;

  @Describe('How many escalations have happened')
  @IsWhole()
  escalated!: number;
  @IsListOf(TaskComment) comments!: readonly TaskComment[];
  @Optional() @IsA(TaskAnswerView) answer?: TaskAnswerView;
  @IsBoolean() isFork!: boolean;
}

/** An answer that was taken. */
export class AnsweredTask {
  @IsA(Task) task!: Task;

  @Describe('The session after a decision')
  @Optional()
  @IsObject()
  session?: object;

  @Describe('The run right after an approval or an answer')
  @Optional()
  @IsObject()
  run?: object;

  @Describe('The turn, once it has ended or waits again')
  @Optional()
  @IsObject()
  turn?: object;
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

  @Describe('Without those that are claimed: the caller may answer them')
  @IsWhole()
  claimable!: number;
}
