import { peopleTable } from '#lib/people/core';
import { columnIs, dataset, sessionsTable } from '#lib/read-models';
import { isOfFork } from '#lib/runs/runs/core';
import { tasksTable } from './tasks.tables.js';

/** An assignment is of a registration: another person may have the id later. */
const IS_REGISTERED = `exists (
  select 1 from ${peopleTable.name} p where p.person_id = t.assignee and p.number < t.assignment_number)`;

export const tasksDataset = dataset({
  name: 'tasks',
  about: 'One row for each thing that waited for a person.',
  columns: {
    task_id: columnIs.id('The id of the task'),
    kind: columnIs.text('`decision`, `approval` or `answer`'),
    status: columnIs.text('`open` (claimed ones included), `answered`, `expired` or `withdrawn`'),
    session_id: columnIs.id('The session that waits; null if none does'),
    round_id: columnIs.text('The round that waits'),
    machine_name: columnIs.text('The machine of the session'),
    run_id: columnIs.id('The run that waits; null if none does'),
    workflow: columnIs.text('The workflow of the run'),
    conversation_id: columnIs.id('The conversation that waits; null if none does'),
    turn_id: columnIs.id('The turn that waits'),
    version: columnIs.number('How often it has waited'),
    priority: columnIs.number('From 0 to 100'),
    claimed_by: columnIs.text('The person who claimed it last'),
    assignee: columnIs.text('The only person who may answer, unless they were deleted'),
    since: columnIs.text('The beginning of the last wait'),
    due_at: columnIs.text('When it is due; null: never'),
  },
  parts: (words) => [
    {
      values: {
        task_id: 't.task_id',
        kind: 't.kind',
        status: 't.status',
        session_id: 't.session_id',
        round_id: 't.round_id',
        machine_name: 't.machine_name',
        run_id: 't.run_id',
        workflow: 't.workflow',
        conversation_id: 't.conversation_id',
        turn_id: 't.turn_id',
        version: 't.version',
        priority: 't.priority',
        claimed_by: 't.claimed_by',
        assignee: `case when ${IS_REGISTERED} then t.assignee end`,
        since: words.time('t.since'),
        due_at: words.time('t.due_at'),
      },
      from: `${tasksTable.name} t left join ${sessionsTable.name} s on s.session_id = t.session_id`,
      where: `s.parent_id is null and (t.run_id is null or not ${isOfFork('t.run_id')})`,
      key: 't.task_id',
      time: 't.since',
      machine: 't.machine_name',
    },
  ],
});
