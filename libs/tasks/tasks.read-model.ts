import { type PeoplePolicy, priorityOf } from '#lib/candidates';
import { roundTaskId, type SessionEvent } from '#lib/decisions/session';
import type { RecordedEvent } from '#lib/kernel';
import {
  type DocOf,
  type FoldPage,
  type Folds,
  type ReadModel,
  type Ref,
  type SeenDoc,
  sessions,
  withoutCopies,
} from '#lib/read-models';
import { type AudienceWords, audienceId, audienceWords } from './audience.js';
import type { ClockEvent } from './due-times/clock-events.js';
import { dueAtOf } from './due-times/clock.rules.js';
import { askedIn, excludedIn, giversIn, humansIn, mayExclude, policyIn } from './round-people.folds.js';
import { onRun } from './run-tasks.folds.js';
import { onTask, UNCLAIMED } from './task-acts.folds.js';
import { count, dueOrder, inOrder, setDue, setStatus } from './task-docs.js';

import {
  audienceWordRows,
  taskClocks,
  taskRuns,
  tasks,
  taskSessions,
  taskTotals,
  type tasksTable,
} from './tasks.tables.js';

type TaskDoc = DocOf<typeof tasksTable>;
type Given = 'status' | 'audience' | 'priority' | 'excluded' | 'bySince' | 'byPriority' | 'byDue';
type Wait = Omit<TaskDoc, Given>;

const roundOf = (event: RecordedEvent, sessionId: string): readonly Ref[] => {
  const { roundId, clockId } = event.data as { readonly roundId: string; readonly clockId?: string };
  return [
    ...(clockId === undefined ? [] : [[taskClocks, clockId] as const]),
    [sessions, sessionId],
    [taskSessions, sessionId],
    [tasks, roundTaskId(sessionId, roundId)],
  ];
};

const taskOf = ({ data }: RecordedEvent, sessionId: string): readonly Ref[] => [
  [tasks, roundTaskId(sessionId, (data as { readonly roundId: string }).roundId)],
];

const onSession: Folds<SessionEvent> = {
  SessionCreated: {
    needs: ({ data }, sessionId) => (mayExclude(data) ? [[taskSessions, sessionId]] : []),
    fold: (page, { data }, sessionId) => {
      if (mayExclude(data))
        page.put(taskSessions, { sessionId, creators: data.by === undefined ? [] : [data.by] });
    },
  },
  SessionForked: {
    needs: roundOf,
    fold: (page, { data: { by, roundId, freshRound } }, sessionId) => {
      const known = page.change(taskSessions, sessionId);
      if (known && by !== undefined) known.creators = [...(known.creators ?? []), by];
      if (known && freshRound) known.given = undefined;
      const task = page.change(tasks, roundTaskId(sessionId, roundId));
      if (!task) return;
      // The machine may be another one, and the clock that was copied times another session.
      const who = whoAnswers(page, task, askedIn(page, sessionId, roundId));
      Object.assign(task, { ...who, givers: giversIn(page, sessionId, roundId), clockId: undefined });
    },
  },
  ProposalSubmitted: {
    // Proposals of models exclude nobody.
    needs: (event, sessionId) => (event.data.by === undefined ? [] : roundOf(event, sessionId)),
    fold: (page, { data: { roundId, by } }, sessionId) => {
      const excluding = by === undefined ? undefined : page.change(taskSessions, sessionId);
      if (by === undefined || !excluding) return;
      const before = excluding.stated?.roundId === roundId ? excluding.stated.by : [];
      excluding.stated = { roundId, by: [...before, by] };
      const task = page.change(tasks, roundTaskId(sessionId, roundId));
      if (task) task.excluded = excludedIn(page, sessionId, roundId, policyIn(page, sessionId));
    },
  },
  ApprovalGiven: {
    needs: roundOf,
    fold: (page, { data: { roundId, by } }, sessionId) => {
      const before = giversIn(page, sessionId, roundId) ?? [];
      const given = { roundId, by: [...new Set([...before, by])] };
      page.put(taskSessions, { ...page.see(taskSessions, sessionId), sessionId, given });
      const task = page.change(tasks, roundTaskId(sessionId, roundId));
      if (task) Object.assign(task, { givers: given.by, ...(task.claimedBy === by && UNCLAIMED) });
    },
  },
  HumanInputRequested: {
    needs: roundOf,
    fold: (page, { data, metadata, occurredAt: since, number: newest }, sessionId) => {
      const { roundId, clockId } = data;
      const taskId = roundTaskId(sessionId, roundId);
      const session = page.see(sessions, sessionId);
      if (!session) throw new TypeError(`session ${sessionId} waits, and was never created`);
      const { machineName } = session;
      const asked = askedIn(page, sessionId, roundId);
      const before = page.change(tasks, taskId);
      const number = before?.number ?? newest;
      // A clock that was copied times another session: it is known by its id alone.
      const isTimed = clockId !== undefined && !metadata.copied;
      const dueAt = isTimed ? dueAtOf({ since, times: asked.policy ?? {} }, {}) : undefined;
      const version = (before?.version ?? 0) + 1;
      const wait = {
        taskId,
        kind: 'decision',
        version,
        sessionId,
        rootId: sessionId,
        roundId,
        machineName,
        since,
        number,
        givers: giversIn(page, sessionId, roundId),
      } as const;
      const { assignee, assignmentNumber } = before ?? {};
      opened(page, { ...wait, dueAt, clockId, assignee, assignmentNumber }, asked, isTimed);
    },
  },
  ClockStarted: {
    needs: roundOf,
    fold: (page, { data: { roundId, clockId, timed }, metadata, occurredAt: since }, sessionId) => {
      const taskId = roundTaskId(sessionId, roundId);
      const task = page.change(tasks, taskId);
      if (task) task.clockId = clockId;
      if (metadata.copied) return;
      const policy = policyIn(page, sessionId);
      if (task && timed) setDue(task, dueAtOf({ since, times: policy ?? {} }, {}));
      const words = audienceWords(policy, humansIn(page, sessionId));
      page.put(taskClocks, { clockId, taskId, words });
    },
  },
  SessionClosed: {
    needs: taskOf,
    fold: (page, { data: { roundId } }, sessionId) => {
      const task = page.change(tasks, roundTaskId(sessionId, roundId));
      if (task?.status === 'open') setStatus(page, task, 'withdrawn');
    },
  },
  ClockEnded: {
    needs: taskOf,
    fold: (page, { data: { roundId, clockId, failure } }, sessionId) => {
      const task = page.change(tasks, roundTaskId(sessionId, roundId));
      if (!task) return;
      if (failure && clockId === task.clockId) setDue(task, undefined);
      if (!failure) setStatus(page, task, 'expired');
    },
  },
  TransitionExecuted: {
    needs: taskOf,
    fold: (page, { data: { roundId, isHuman, timedBy } }, sessionId) => {
      const task = page.change(tasks, roundTaskId(sessionId, roundId));
      // The decision of an operator after an expired wait does not change the status.
      if (task?.status !== 'open') return;
      const isExpiry = timedBy !== undefined && timedBy === task.clockId;
      setStatus(page, task, isHuman ? 'answered' : isExpiry ? 'expired' : 'withdrawn');
    },
  },
};

const clockOf = (_event: unknown, clockId: string): readonly Ref[] => [[taskClocks, clockId]];

const onClock: Folds<ClockEvent> = {
  DueMoved: {
    needs: clockOf,
    fold: (page, { data: { dueAt } }, clockId) => {
      const clock = page.see(taskClocks, clockId);
      const task = clock && timedBy(page, clock);
      if (task && dueAt !== undefined) setDue(task, dueAt);
    },
  },
  TaskEscalated: {
    needs: clockOf,
    fold: (page, { data: { keep, ...named } }, clockId) => {
      const clock = page.change(taskClocks, clockId);
      const task = clock && timedBy(page, clock);
      if (!task) return;
      const words = [...new Set([...(keep ? clock.words : []), ...audienceWords(named, [])])].toSorted();
      clock.words = words;
      task.audience = audienceOf(page, words);
    },
  },
};

/** The task of a clock, if it times the last wait. */
function timedBy(page: FoldPage, { clockId, taskId }: SeenDoc<(typeof taskClocks)['table']>) {
  return page.see(tasks, taskId)?.clockId === clockId ? page.change(tasks, taskId) : undefined;
}

/** The tasks, with their claims, their assignees and those who may answer. Their questions are read from their owners. */
export const tasksModel: ReadModel<'tasks'> = {
  name: 'tasks',
  kinds: [taskSessions, taskRuns, tasks, taskTotals, taskClocks, audienceWordRows],
  ofRuns: [taskRuns],
  sees: ['sessions', 'runs'],
  on: { session: onSession, task: onTask, due_times: onClock },
  onRuns: withoutCopies(onRun(opened)),
};

interface TaskWords {
  readonly policy: PeoplePolicy | undefined;
  /** The people who answer if the policy names none. */
  readonly otherwise: AudienceWords;
  readonly excluded: readonly string[] | undefined;
}

/** Puts a task that waits. @param isTimed its clock times it */
function opened(page: FoldPage, wait: Wait, asked: TaskWords, isTimed = wait.clockId !== undefined): void {
  const { clockId, taskId } = wait;
  const words = audienceWords(asked.policy, asked.otherwise);
  if (isTimed && clockId) page.put(taskClocks, { clockId, taskId, words });
  count(page, 'open', page.see(tasks, taskId)?.status);
  page.put(tasks, { ...wait, status: 'open', ...whoAnswers(page, wait, asked) });
}

/** The members of a task that say who answers it, and its places in the orders of lists. */
function whoAnswers(page: FoldPage, wait: Pick<Wait, 'since' | 'number' | 'dueAt'>, asked: TaskWords) {
  const { since, number } = wait;
  const { policy, otherwise, excluded } = asked;
  const audience = audienceOf(page, audienceWords(policy, otherwise));
  const priority = priorityOf(policy);
  const byPriority = inOrder(String(100 - priority).padStart(3, '0'), number);
  const order = { bySince: inOrder(since, number), byPriority, byDue: dueOrder(wait) };
  return { priority, audience, excluded, ...order };
}

function audienceOf(page: FoldPage, words: AudienceWords): string {
  const audience = audienceId(words);
  for (const word of words) page.add(audienceWordRows, { word, audience });
  return audience;
}
