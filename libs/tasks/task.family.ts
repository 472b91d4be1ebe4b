import type { Json, JsonObject, Rejection } from '#lib/kernel';
import type { CommandContext } from '#lib/operations/core';
import type { TimesShown } from './due-times/clock-events.js';
import type { Moved } from './due-times/clock.rules.js';
import type { TaskKind, TaskStatus } from './task-words.js';
import type { ApprovalsView, CandidatesView, TaskAnswerView, TaskChoiceView } from './tasks.views.js';
import type { ProposalView } from '#lib/decisions/session';

/** A person who acts on a task, with the groups that they are in. */
export interface TaskPerson {
  readonly by: string;
  readonly groups?: readonly string[];
  /** The human specialist as whom they act, where the door names one. */
  readonly specialistId?: string;
}

/** The equal choices that a task needs, and those of people so far, each with its position in the log. */
export interface GivenApprovals {
  readonly needed: number;
  readonly given: readonly (ApprovalsView['given'][number] & { readonly position: string })[];
}

/** A task as its owner describes it. */
export interface WaitingThing {
  readonly taskId: string;
  /** The number of its waits so far. */
  readonly version: number;
  readonly kind: TaskKind;
  readonly status: Exclude<TaskStatus, 'claimed'>;
  readonly title: string;
  readonly question: string;
  readonly reason: string;
  readonly detail: string;
  readonly about: JsonObject;
  readonly proposals?: readonly (ProposalView & {
    readonly alignmentScore: number;
    readonly comparisons: number;
  })[];
  /** Of a call to approve. */
  readonly arguments?: JsonObject;
  /** The question as a workflow put it. */
  readonly prompt?: Json;
  readonly choices: readonly TaskChoiceView[];
  readonly candidates: CandidatesView;
  readonly excluded: readonly string[];
  readonly approvals: GivenApprovals;
  readonly priority: number;
  readonly since: string;
  /** Of a session that was forked. */
  readonly isFork?: true;
  /** When it is due and expires, and its escalations. */
  readonly times?: TimesShown;
  readonly answer?: TaskAnswerView;
}

/** An answer as a body states it. */
export interface TaskAnswerBody {
  readonly choice: string;
  readonly digest?: string;
  readonly proposalId?: string;
  readonly transitionName?: string;
  readonly metaJson?: JsonObject;
  readonly arguments?: JsonObject;
  readonly result?: Json;
  readonly payload?: Json;
  readonly reason?: string;
  readonly version?: number;
}

/** A round of a session. */
export interface RoundOwner {
  readonly taskId: string;
  readonly kind: 'decision';
  readonly sessionId: string;
  readonly roundId: string;
}

/** A wait of a run. */
export interface WaitOwner {
  readonly taskId: string;
  readonly kind: 'approval' | 'answer';
  readonly runId: string;
  readonly stepId: string;
  /** The session for which the run, or one above it, works. */
  readonly sessionId?: string;
  /** The conversation for which it works, in this turn. */
  readonly conversationId?: string;
  readonly turnId?: string;
}

/** The place where a task is kept. */
export type TaskOwner = RoundOwner | WaitOwner;

/** An answer that is taken to the owner. */
export interface TakenAnswer<Owner extends TaskOwner = TaskOwner> {
  readonly owner: Owner;
  readonly waiting: WaitingThing;
  readonly body: TaskAnswerBody;
  /** Absent for a caller who is no person. */
  readonly person: TaskPerson | undefined;
  /** The only person who can answer. */
  readonly assignee: string | undefined;
}

/** The owner after an answer. */
export type AnsweredOwner =
  | { readonly session: object }
  | { readonly run: object }
  | { readonly turn: object };

/** The port of a family of tasks, such as rounds or waits of runs: it describes what waits, and takes the answers. */
export interface TaskFamily<Owner extends TaskOwner = TaskOwner> {
  readonly kinds: readonly TaskKind[];
  /** The stream that waits. */
  streamOf(owner: Owner): string | Promise<string>;
  /** `undefined`: the owner has never waited for people. */
  taskOf(owner: Owner): Promise<WaitingThing | undefined>;
  /** Why this person, or a caller who is no person, may not answer it; `undefined` if they may. */
  whyNot(
    owner: Owner,
    person: TaskPerson | undefined,
    assignee: string | undefined,
  ): Promise<Rejection | undefined>;
  /** The ids of the clocks of its waits. */
  clocksOf(owner: Owner): Promise<readonly string[]>;
  /** Moves the times of its wait. */
  move(owner: Owner, moved: Moved, context: CommandContext): Promise<void>;
  /** Whether a call under this key was taken before. @throws RejectionError if its input was another one */
  isRepeat(owner: Owner, context: CommandContext): Promise<boolean>;
  /** Takes the answer to the owner. The owner's stream settles races: only one is taken. */
  answer(answer: TakenAnswer<Owner>, context: CommandContext): Promise<AnsweredOwner>;
  /** The owner after an answer that was taken before. */
  answered(owner: Owner, context: CommandContext): Promise<AnsweredOwner>;
}
