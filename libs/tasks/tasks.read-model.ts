import { priorityOf } from '#lib/candidates';
import { roundTaskId, type SessionEvent } from '#lib/decisions/session';
import type { RecordedEvent } from '#lib/kernel';
import {
  documents,
  foldedTable,
  freeText,
  type Folds,
  hidden,
  optional,
  type ReadModel,
  type Ref,
  sessionMachines,
  sessions,
  time,
  uuid,
  word,
} from '#lib/read-models';
import type { TaskEvent } from './task.events.js';
import type { TaskKind } from './task.family.js';

export const tasksTable = foldedTable(
  'tasks',
  {
    task_id: uuid,
    kind: word<TaskKind>(),
    status: word<'open' | 'answered' | 'withdrawn'>(),
    session_id: uuid,
    round_id: 'text',
    machine_name: 'text',
    priority: 'integer',
    /** The beginning of the last wait. */
    since: time,
    claimed_by: optional(freeText),
    claimed_until: optional(time),
    assignee: optional(freeText),
    /** The order of the tasks: that of their first waits. */
    number: hidden('bigint'),
  },
  ['task_id'],
  [
    ['status', 'number'],
    ['status', 'priority', 'number'],
    ['status', 'claimed_by'],
    ['status', 'assignee'],
    ['session_id', 'number'],
    ['machine_name', 'status', 'number'],
  ],
);

const tasks = documents(tasksTable, 'task_id');

const roundOf = (event: RecordedEvent, sessionId: string): readonly Ref[] => {
  const { roundId } = event.data as { readonly roundId: string };
  return [
    [sessions, sessionId],
    [tasks, roundTaskId(sessionId, roundId)],
  ];
};
const taskOf = (_event: unknown, taskId: string): readonly Ref[] => [[tasks, taskId]];

const onSession: Folds<SessionEvent> = {
  HumanInputRequested: {
    needs: roundOf,
    fold: (page, { data: { roundId }, occurredAt: since, number }, sessionId) => {
      const taskId = roundTaskId(sessionId, roundId);
      const again = page.change(tasks, taskId);
      if (again) return void Object.assign(again, { since, claimedBy: undefined, claimedUntil: undefined });
      const session = page.see(sessions, sessionId);
      const machine = session && page.see(sessionMachines, session.machineHash)?.definition;
      if (!session || !machine) throw new TypeError(`session ${sessionId} waits, and was never created`);
      const { machineName, currentState } = session;
      const people = machine.states[currentState]?.people ?? machine.people;
      const priority = priorityOf(people);
      const of = { sessionId, roundId, machineName };
      page.put(tasks, { taskId, kind: 'decision', status: 'open', ...of, priority, since, number });
    },
  },
  TransitionExecuted: {
    needs: roundOf,
    fold: (page, { data: { roundId, isHuman } }, sessionId) => {
      const task = page.change(tasks, roundTaskId(sessionId, roundId));
      if (task) task.status = isHuman ? 'answered' : 'withdrawn';
    },
  },
};

const onTask: Folds<TaskEvent> = {
  TaskClaimed: {
    needs: taskOf,
    fold: (page, { data: { by, until } }, taskId) => {
      const task = page.change(tasks, taskId);
      if (task) Object.assign(task, { claimedBy: by, claimedUntil: until });
    },
  },
  TaskReleased: {
    needs: taskOf,
    fold: (page, _event, taskId) => {
      const task = page.change(tasks, taskId);
      if (task) Object.assign(task, { claimedBy: undefined, claimedUntil: undefined });
    },
  },
  TaskAssigned: {
    needs: taskOf,
    fold: (page, { data: { personId } }, taskId) => {
      const task = page.change(tasks, taskId);
      if (!task) return;
      const isOthers = personId !== null && task.claimedBy !== personId;
      Object.assign(task, {
        assignee: personId ?? undefined,
        ...(isOthers && { claimedBy: undefined, claimedUntil: undefined }),
      });
    },
  },
};

/** The tasks, with their claims and assignees. Their questions are read from their owners. It sees the documents of sessions. */
export const tasksModel: ReadModel<'tasks'> = {
  name: 'tasks',
  kinds: [tasks],
  on: { session: onSession, task: onTask },
};
