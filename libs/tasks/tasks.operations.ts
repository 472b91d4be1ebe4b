import { Command, Query } from '@nestjs/cqrs';
import { IsString, MaxLength, MinLength } from 'class-validator';
import {
  answeredBy,
  currentContext,
  input,
  is,
  markCreated,
  markFleeting,
  Operation,
  page,
  pageMembers,
  personOf,
  readMembers,
  ReadModels,
  RecordedEventView,
} from '#lib/operations';
import { type Page, pageOfList } from '#lib/read-models';
import { ownerOf, taskMembers } from './task-command.js';
import { TASK_KINDS, TASK_STATUSES, type TaskStatus } from './task-words.js';
import { badStatus, unknownTask } from './task.rejections.js';
import { countTasks, pageOfTasks, TASK_ROWS, TASK_SORTS } from './tasks.queries.js';
import { Tasks } from './tasks.js';
import { Counts, Task } from './tasks.views.js';

const DEFAULT_MINUTES = 30;
const MOST_MINUTES = 1_440;
const ALL = 'all';

@Operation({
  summary: 'Tasks: decisions, approvals and questions that wait for people',
  http: 'GET /v1/tasks',
  cli: 'tasks list',
  access: 'viewer',
  answers: { 200: page(Task) },
})
export class ListTasks extends input(Query<Page<Task>>, {
  status: is.text.optional.about(
    'One or more of open, claimed, answered, expired, withdrawn, with commas; or all. Default: open,claimed',
    {
      example: 'open',
    },
  ),
  kind: is.oneOf(TASK_KINDS).optional,
  machineName: is.name.optional,
  workflow: is.name.optional,
  sessionId: is.id.optional,
  runId: is.id.optional,
  conversationId: is.id.optional,
  key: is.key.optional.about('Only of the session, conversation or run with this key'),
  candidate: is.name.optional.about('Only those that this person may answer; `me`: the caller'),
  assignee: is.name.optional.about('Only those assigned to this person; `me`: the caller'),
  claimedBy: is.name.optional.about('Only those claimed by this person; `me`: the caller'),
  overdue: is
    .oneOf(['true', 'false'])
    .optional.about('`true`: only those past their `dueAt`; `false`: only the others', { example: 'true' }),
  sort: is
    .oneOf(TASK_SORTS)
    .optional.about(
      '`due`: the earliest first, then those without a time; `priority`: the highest first; the oldest first within each',
      { default: 'due' },
    ),
  ...pageMembers,
}) {}

export const ListTasksHandler = answeredBy(ListTasks, [ReadModels, Tasks], async (query, rows, tasks) => {
  const {
    status = 'open,claimed',
    sort = 'due',
    limit,
    cursor,
    minPosition: _,
    overdue,
    candidate,
    assignee,
    claimedBy,
    ...given
  } = query;
  const statuses = status === ALL ? TASK_STATUSES : status.split(',');
  const wrong = statuses.find((one) => !TASK_STATUSES.includes(one as TaskStatus));
  if (wrong !== undefined) return badStatus(wrong);
  const me = personOf(currentContext()) ?? '';
  const people = Object.entries({ candidate, assignee, claimedBy });
  const filter = {
    ...given,
    ...Object.fromEntries(people.map(([name, value]) => [name, value === 'me' ? me : value])),
    statuses: statuses as readonly TaskStatus[],
    ...(overdue && { overdue: overdue === 'true' }),
  };
  const order = { at: tasks.now(), sort };
  return rows.ask(TASK_ROWS, (db) => pageOfTasks(db, filter, order, query, (owner) => tasks.listed(owner)));
});

@Operation({
  summary: 'The numbers of tasks: open, claimed, overdue, of the caller, and those that the caller may claim',
  http: 'GET /v1/tasks/counts',
  cli: 'tasks counts',
  access: 'viewer',
  answers: { 200: Counts },
})
export class CountTasks extends input(Query<Counts>, readMembers) {}

export const CountTasksHandler = answeredBy(CountTasks, [ReadModels, Tasks], (_, rows, tasks) =>
  rows.ask(TASK_ROWS, (db) => countTasks(db, personOf(currentContext()), tasks.now())),
);

@Operation({
  summary: 'A task, with everything that an answer needs',
  http: 'GET /v1/tasks/:taskId',
  cli: 'tasks show <taskId>',
  access: 'viewer',
  answers: { 200: Task },
})
export class GetTask extends input(Query<Task>, { taskId: is.idOf(unknownTask), ...readMembers }) {}

export const GetTaskHandler = answeredBy(GetTask, [ReadModels, Tasks], async ({ taskId }, rows, tasks) =>
  tasks.view(await ownerOf(rows, taskId)),
);

@Operation({
  summary: 'The events of a task without its answer, oldest first: claims, assignments, comments, due times',
  http: 'GET /v1/tasks/:taskId/events',
  cli: 'tasks events <taskId>',
  access: 'viewer',
  answers: { 200: page(RecordedEventView) },
})
export class ListTaskEvents extends input(Query<Page<RecordedEventView>>, {
  taskId: is.idOf(unknownTask),
  ...pageMembers,
}) {}

export const ListTaskEventsHandler = answeredBy(
  ListTaskEvents,
  [ReadModels, Tasks],
  async ({ taskId, ...request }, rows, tasks) =>
    pageOfList(request, `events of task ${taskId}`, await tasks.events(await ownerOf(rows, taskId))),
);

@Operation({
  summary: 'Claim a task for a while: no other person can answer it',
  http: 'POST /v1/tasks/:taskId/claim',
  cli: 'tasks claim <taskId>',
  mcp: false,
  access: 'reviewer',
  answers: { 200: Task },
  problems: [410],
})
export class ClaimTask extends input(Command<Task>, {
  minutes: is.whole(1, MOST_MINUTES).optional.about('Minutes', { default: DEFAULT_MINUTES }),
  ...taskMembers,
}) {}

export const ClaimTaskHandler = answeredBy(
  ClaimTask,
  [ReadModels, Tasks],
  async ({ taskId, minutes = DEFAULT_MINUTES }, rows, tasks) => {
    markFleeting();
    return tasks.claim(await ownerOf(rows, taskId), minutes, currentContext());
  },
);

@Operation({
  summary: 'End the claim of a task: the person who has it, or an operator',
  http: 'POST /v1/tasks/:taskId/release',
  cli: 'tasks release <taskId>',
  mcp: false,
  access: 'reviewer',
  answers: { 200: Task },
})
export class ReleaseTask extends input(Command<Task>, taskMembers) {}

export const ReleaseTaskHandler = answeredBy(
  ReleaseTask,
  [ReadModels, Tasks],
  async ({ taskId }, rows, tasks) => {
    markFleeting();
    return tasks.release(await ownerOf(rows, taskId), currentContext());
  },
);

@Operation({
  summary: 'Assign a task to a person, who alone can then answer it, or to nobody',
  http: 'POST /v1/tasks/:taskId/assign',
  cli: 'tasks assign <taskId>',
  mcp: false,
  access: 'operator',
  answers: { 200: Task },
  problems: [410],
})
export class AssignTask extends input(Command<Task>, {
  personId: is.nameOrNull.about('`null`: ends the assignment', { example: 'ann' }),
  ...taskMembers,
}) {}

export const AssignTaskHandler = answeredBy(
  AssignTask,
  [ReadModels, Tasks],
  async ({ taskId, personId }, rows, tasks) => {
    markFleeting();
    return tasks.assign(await ownerOf(rows, taskId), personId, currentContext());
  },
);

@Operation({
  summary: 'Comment on a task that has not ended',
  http: 'POST /v1/tasks/:taskId/comments',
  cli: 'tasks comment <taskId>',
  mcp: false,
  access: 'reviewer',
  answers: { 201: Task },
})
export class CommentTask extends input(Command<Task>, {
  text: is
    .form<string>(IsString(), MinLength(1), MaxLength(4_000))
    .about('At most 4,000 characters', { example: 'The invoice is missing.' }),
  ...taskMembers,
}) {}

export const CommentTaskHandler = answeredBy(
  CommentTask,
  [ReadModels, Tasks],
  async ({ taskId, text }, rows, tasks) => {
    markFleeting();
    markCreated();
    return tasks.comment(await ownerOf(rows, taskId), text, currentContext());
  },
);
