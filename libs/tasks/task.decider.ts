import type { Command, Decider, RecordedEvent, Rejection } from '#lib/kernel';
import type { OfTask, TaskEvent } from './task.events.js';
import { taskClaimed } from './task.rejections.js';

/** Refused attempts that a task keeps. */
const MOST_ATTEMPTS = 100;

export interface Claim {
  readonly by: string;
  readonly until: string;
  readonly version: number;
}

/** The state of a task that its events give: its claim, its assignee and its refused attempts. */
export interface TaskState {
  readonly claim?: Claim;
  readonly assignee?: string;
  readonly attempts: readonly string[];
}

const UNTOUCHED: TaskState = { attempts: [] };

export type ClaimTask = Command<
  'ClaimTask',
  OfTask & {
    readonly by: string;
    /** ISO 8601, UTC. */
    readonly now: string;
    readonly until: string;
    readonly version: number;
    /** The person of the claim so far, if they can no longer answer, or were deleted since: it has ended. */
    readonly ended?: string;
  }
>;
export type ReleaseTask = Command<
  'ReleaseTask',
  OfTask & {
    readonly by: string;
    readonly now: string;
    readonly version: number;
    /** Releases the claim of anybody. */
    readonly isOperator: boolean;
    /** As in `ClaimTask`. */
    readonly ended?: string;
  }
>;
export type AssignTask = Command<
  'AssignTask',
  OfTask & { readonly by: string; readonly personId: string | null }
>;
export type CommentTask = Command<'CommentTask', OfTask & { readonly by: string; readonly text: string }>;
/** Records an attempt that was refused; once for each person and code. */
type NoteAttempt = Command<'NoteAttempt', OfTask & { readonly by: string; readonly code: string }>;
export type TaskCommand = ClaimTask | ReleaseTask | AssignTask | CommentTask | NoteAttempt;

/** The rules of the acts of people on a task. */
export const taskDecider: Decider<TaskState, TaskCommand, TaskEvent> = {
  initialState: UNTOUCHED,
  decide: decideTask,
  evolve: evolveTask,
  record: (command) => command,
  rebuild: (recorded) => recorded as TaskCommand,
};

/** The claim of this wait, unless it has lapsed. */
export function claimAt(state: TaskState, version: number, now: string): Claim | undefined {
  const { claim } = state;
  return claim && claim.version === version && claim.until > now ? claim : undefined;
}

/** Total: an event of a type from the future changes nothing. */
function evolveTask(state: TaskState, event: TaskEvent): TaskState {
  switch (event.type) {
    case 'TaskClaimed':
      return { ...state, claim: event.data };
    case 'TaskReleased':
      return withoutClaim(state);
    case 'TaskAssigned':
      return assigned(state, event.data.personId);
    case 'TaskCommented':
      return state;
    case 'TaskAttemptRefused':
      return { ...state, attempts: [...state.attempts, attemptOf(event.data)] };
    default:
      event satisfies never;
      return state;
  }
}

function withoutClaim({ claim: _, ...state }: TaskState): TaskState {
  return state;
}

/** An assignment ends the claim of another person. */
function assigned(state: TaskState, personId: string | null): TaskState {
  const { assignee: _, ...rest } = state;
  if (personId === null) return rest;
  return { ...(state.claim?.by === personId ? rest : withoutClaim(rest)), assignee: personId };
}

function decideTask({ type, data }: TaskCommand, state: TaskState): readonly TaskEvent[] | Rejection {
  switch (type) {
    case 'ClaimTask':
      return claim(data, state);
    case 'ReleaseTask':
      return release(data, state);
    case 'AssignTask':
      return [{ type: 'TaskAssigned', data }];
    case 'CommentTask':
      return [{ type: 'TaskCommented', data }];
    case 'NoteAttempt': {
      const isKnown = state.attempts.includes(attemptOf(data)) || state.attempts.length >= MOST_ATTEMPTS;
      return isKnown ? [] : [{ type: 'TaskAttemptRefused', data }];
    }
  }
}

/** A claim by the same person again is prolonged. */
function claim({ by, now, until, version, ended, owner }: ClaimTask['data'], state: TaskState) {
  const current = claimAt(state, version, now);
  if (current && current.by !== by && current.by !== ended) return taskClaimed(current);
  const event: TaskEvent = { type: 'TaskClaimed', data: { by, until, version, ...(owner && { owner }) } };
  return [event];
}

function release({ by, now, version, isOperator, ended, owner }: ReleaseTask['data'], state: TaskState) {
  const current = claimAt(state, version, now);
  if (!current || current.by === ended) return [];
  if (current.by !== by && !isOperator) return taskClaimed(current);
  const event: TaskEvent = { type: 'TaskReleased', data: { by, ...(owner && { owner }) } };
  return [event];
}

function attemptOf({ by, code }: { readonly by: string; readonly code: string }): string {
  return `${code} ${by}`;
}

/** The comments on a task, oldest first. */
export function commentsIn(events: readonly RecordedEvent<TaskEvent>[]) {
  return events.flatMap((event) =>
    event.type === 'TaskCommented'
      ? [{ by: event.data.by, text: event.data.text, at: event.occurredAt }]
      : [],
  );
}
