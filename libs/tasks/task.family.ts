import type { JsonObject, Rejection } from '#lib/kernel';
import type { CommandContext } from '#lib/operations/core';
import type { ProposalView } from '#lib/decisions/session';

export const TASK_STATUSES = ['open', 'claimed', 'answered', 'expired', 'withdrawn'] as const;
export type TaskStatus = (typeof TASK_STATUSES)[number];
export const TASK_KINDS = ['decision', 'approval', 'answer'] as const;
export type TaskKind = (typeof TASK_KINDS)[number];

/** A person who acts on a task, with the groups that they are in. */
export interface TaskPerson {
  readonly by: string;
  readonly groups?: readonly string[];
  /** The human specialist as whom they act, where the door names one. */
  readonly specialistId?: string;
}

/** One way to answer, with the closed JSON Schema of the body that chooses it. */
export interface TaskChoice {
  readonly choice: string;
  readonly transitionName?: string;
  readonly toState?: string;
  readonly proposalId?: string;
  readonly schema: JsonObject;
}

/** How a person answered. */
export interface TaskAnswer {
  readonly by: string;
  readonly at: string;
  readonly choice: string;
  readonly proposalId?: string;
  readonly transitionName?: string;
  readonly metaJson?: JsonObject;
  readonly reason?: string;
  readonly edited: boolean;
}

/** A thing that waits for people, as its owner tells it. */
export interface WaitingThing {
  readonly taskId: string;
  /** How often it has waited. */
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
  readonly choices: readonly TaskChoice[];
  readonly candidates: { readonly people: readonly string[]; readonly groups: readonly string[] };
  readonly excluded: readonly string[];
  readonly approvals: {
    readonly needed: number;
    readonly given: readonly {
      readonly by: string;
      readonly at: string;
      readonly choice: string;
      readonly transitionName?: string;
    }[];
  };
  readonly priority: number;
  readonly since: string;
  readonly answer?: TaskAnswer;
}

/** An answer as a body states it. */
export interface TaskAnswerBody {
  readonly choice: string;
  readonly digest?: string;
  readonly proposalId?: string;
  readonly transitionName?: string;
  readonly metaJson?: JsonObject;
  readonly reason?: string;
  readonly version?: number;
}

/** Where a task is kept. */
export interface TaskOwner {
  readonly taskId: string;
  readonly kind: TaskKind;
  readonly sessionId: string;
  readonly roundId: string;
}

/** An answer that is taken to the owner. */
export interface TakenAnswer {
  readonly owner: TaskOwner;
  readonly waiting: WaitingThing;
  readonly body: TaskAnswerBody;
  readonly person: TaskPerson;
  /** The only person who can answer. */
  readonly assignee: string | undefined;
}

/** The port by which a family of things that wait for people brings them in: it tells what waits, and takes answers. */
export interface TaskFamily {
  readonly kind: TaskKind;
  /** `undefined`: nothing has waited there. */
  taskOf(owner: TaskOwner): Promise<WaitingThing | undefined>;
  /** Why this person, or a caller who is no person, may not answer it; `undefined` if they may. */
  whyNot(
    owner: TaskOwner,
    person: TaskPerson | undefined,
    assignee: string | undefined,
  ): Promise<Rejection | undefined>;
  /** Takes the answer to the owner. The owner's stream settles races: only one is taken. */
  answer(answer: TakenAnswer, context: CommandContext): Promise<{ readonly session?: object }>;
}
