import { jsonText, ofProblems, type Problem, type RefusedTask, reject, type Rejection } from '#lib/kernel';
import type { TaskAnswerView } from './tasks.views.js';

export const unknownTask = (taskId: string): Rejection =>
  reject('unknown', 'unknown-task', {
    what: `task ${taskId}`,
    why: 'no task has this id',
    fix: 'List the tasks',
  });

export const badStatus = (status: string): Rejection => {
  const message = `${jsonText(status)} is none of open, claimed, answered, expired, withdrawn, all`;
  const text = { what: 'the request', why: `/status ${message}`, fix: 'Correct it and send it again' };
  return reject('malformed', 'malformed-request', text, [{ path: '/status', message }]);
};

export const taskClaimed = ({ by, until }: { readonly by: string; readonly until: string }): Rejection => ({
  ...reject('conflict', 'claimed', {
    errorClass: 'TaskClaimed',
    what: 'the task',
    why: `${by} has claimed it until ${until}`,
    fix: 'Leave it to them, or wait; an operator can release it',
  }),
  task: { claimedBy: by, claimedUntil: until },
});

export const taskEnded = (): Rejection =>
  reject('conflict', 'task-ended', { what: 'the task', why: 'it has ended', fix: 'Read its answer' });

export const digestNeeded = (): Rejection =>
  reject('refused', 'digest-needed', {
    what: 'the answer',
    why: 'an answer to a decision needs the digest of what was shown',
    fix: 'Send the digest of the task that you have read',
  });

export const notAssignable = (personId: string): Rejection =>
  reject('refused', 'not-assignable', {
    what: `an assignment to ${personId}`,
    why: 'no person is registered under this id, or they are a viewer',
    fix: 'Assign it to a reviewer or an operator',
  });

/** Another person has answered the task: who, and their choice. */
export const taskAnswered = (answer: TaskAnswerView | undefined): Rejection => ({
  ...reject('conflict', 'answered', {
    errorClass: 'TaskAnswered',
    what: 'the answer',
    why: answer ? `${answer.by} has answered the task` : 'the task is answered',
    fix: 'Read its answer',
  }),
  ...(answer && { task: { answer } }),
});

/** The task takes no answer any more. */
export const taskGone = (status: 'expired' | 'withdrawn'): Rejection =>
  reject('gone', status, {
    errorClass: 'TaskGone',
    what: 'the answer',
    why:
      status === 'expired'
        ? 'the time of the task has run out'
        : 'its round was decided without people, or its session or run has ended',
    fix: 'Read the session or the run of the task',
  });

/** The digest of the answer is not that of the task as it is now. */
export const taskChanged = (changes: RefusedTask): Rejection => ({
  ...reject('conflict', 'changed', {
    errorClass: 'TaskChanged',
    what: 'the answer',
    why: 'the task has changed since it was shown',
    fix: 'Read the task again, and answer it with its current digest',
  }),
  task: changes,
});

/** The body makes no choice of the task, or its values do not fit. */
export const invalidAnswer = (problems: readonly Problem[]): Rejection =>
  reject('refused', 'invalid-arguments', ofProblems('the answer', problems), problems);

export const claimedByNobody = (): Rejection =>
  reject('forbidden', 'not-a-person', {
    what: 'the claim',
    why: 'only people claim tasks, and the caller is not a person',
    fix: "Send a person's own token",
  });
