import {
  documents,
  facts,
  flag,
  foldedTable,
  freeText,
  hidden,
  json,
  optional,
  time,
  totals,
  uuid,
  word,
} from '#lib/read-models';
import { waitTaskId } from '#lib/workflow';
import type { TaskKind, TaskStatus } from './task-words.js';

/** The people whom the words of `exclude` mean, of sessions whose machines have one; and those who have given an approval. */
const taskSessionsTable = foldedTable(
  'task_sessions',
  {
    session_id: uuid,
    creators: optional(json<readonly string[]>()),
    /** The people who stated a proposal of a round, the last one that has any. */
    stated: optional(json<{ readonly roundId: string; readonly by: readonly string[] }>()),
    given: optional(json<{ readonly roundId: string; readonly by: readonly string[] }>()),
  },
  ['session_id'],
);

/** The runs that wait for people, and the steps at which they wait. */
const taskRunsTable = foldedTable('task_runs', { run_id: uuid, waits: json<readonly string[]>() }, [
  'run_id',
]);

export const tasksTable = foldedTable(
  'tasks',
  {
    task_id: uuid,
    kind: word<TaskKind>(),
    /** Claimed ones are open. */
    status: word<Exclude<TaskStatus, 'claimed'>>(),
    session_id: optional(uuid),
    round_id: 'text?',
    machine_name: 'text?',
    run_id: optional(uuid),
    step_id: 'text?',
    workflow: 'text?',
    conversation_id: optional(uuid),
    turn_id: optional(uuid),
    /** The session, the conversation or the first run that it works for, which has the key. */
    root_id: hidden(optional(uuid)),
    priority: 'integer',
    /** The beginning of the last wait. */
    since: time,
    /** Of those who may answer, unless it is assigned: see `audience.ts`. */
    audience: 'text',
    excluded: optional(json<readonly string[]>()),
    /** The people who have given an approval: they are asked no more. */
    givers: optional(json<readonly string[]>()),
    /** The number of its waits so far. */
    version: 'integer',
    claimed_by: optional(freeText),
    claimed_until: optional(time),
    /** Of the claim, in the order of all events: it has ended if its person was registered after it. */
    claim_number: hidden('bigint?'),
    /** Claimed by a human of the session's own machine, who is no registered person. */
    is_own_claim: optional(flag),
    assignee: optional(freeText),
    /** Of the assignment, in the same order: it has ended if its person was registered after it. */
    assignment_number: hidden('bigint?'),
    due_at: optional(time),
    /** The clock of the last wait. */
    clock_id: optional(uuid),
    /** The order of the tasks: that of their first waits. */
    number: hidden('bigint'),
    /** The same after the beginning of the last wait, and after the priority. */
    by_since: hidden('text'),
    by_priority: hidden('text'),
    /** And after the time at which it is due; those without one come last. */
    by_due: hidden('text'),
  },
  ['task_id'],
  [
    ['status', 'by_since'],
    ['status', 'by_priority'],
    ['status', 'by_due'],
    ['status', 'due_at'],
    ['status', 'claimed_until'],
    ['claimed_by', 'status', 'by_due'],
    ['assignee', 'status', 'by_due'],
    ['audience', 'status'],
    ['root_id', 'status'],
    ['session_id', 'status'],
    ['run_id', 'status'],
    ['conversation_id', 'status'],
    ['machine_name', 'status', 'by_since'],
    ['machine_name', 'status', 'by_priority'],
    ['machine_name', 'status', 'by_due'],
  ],
);

/** How many tasks have each status; claimed ones are open. */
export const taskTotalsTable = foldedTable(
  'task_totals',
  { status: word<Exclude<TaskStatus, 'claimed'>>(), tasks: 'bigint' },
  ['status'],
);

/** The clocks of tasks, and the words of those who may answer: moves and escalations change the tasks. */
const taskClocksTable = foldedTable(
  'task_clocks',
  { clock_id: uuid, task_id: uuid, words: json<readonly string[]>() },
  ['clock_id'],
);

/** The words of each audience. */
export const audienceWordsTable = foldedTable(
  'task_audience_words',
  { word: freeText, audience: 'text' },
  ['word', 'audience'],
  [['audience']],
);

export const taskSessions = documents(taskSessionsTable, 'session_id');
export const taskTotals = totals(taskTotalsTable, { add: ['tasks'] });
export const tasks = documents(tasksTable, 'task_id');
export const taskClocks = documents(taskClocksTable, 'clock_id', {
  refs: ({ taskId }) => [[tasks, taskId]],
});
export const taskRuns = documents(taskRunsTable, 'run_id', {
  refs: ({ runId, waits }) => waits.map((stepId) => [tasks, waitTaskId(runId, stepId)] as const),
});
export const audienceWordRows = facts(audienceWordsTable, { once: true });
