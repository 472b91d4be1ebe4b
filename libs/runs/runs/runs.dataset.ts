import { columnIs, dataset, sessionsTable, type SqlWords } from '#lib/read-models';
import { runsTable } from './runs.tables.js';

const forks = `select run_id from ${runsTable.name} where fork_of is not null`;

/** The forks of runs, and the runs below them. */
const runsOfForks = `${forks} union select run_id from ${runsTable.name} where root_run_id in (${forks})`;

/** Whether a run is a fork, or works for one. @param runId an expression */
export function isOfFork(runId: string): string {
  const begun = `select 1 from ${runsTable.name} f where f.run_id = ${runId} and f.is_of_fork = 1`;
  return `(${runId} in (${runsOfForks}) or exists (${begun}))`;
}

/** Live runs are not forks, runs that work for forks, tries, or runs that evaluations and experiments ask for. */
function isLive(words: SqlWords): string {
  const sessions = `select 'session-' || ${words.id('session_id')} from ${sessionsTable.name} where parent_id is not null`;
  const again = `select run_id from ${runsTable.name} where workflow in ('evaluation', 'llm_try')`;
  return `coalesce(r.root_stream, r.owner_stream, '') not in (${sessions})
    and coalesce(r.root_stream, r.owner_stream, '') not like 'experiment-%'
    and coalesce(r.root_run_id, r.run_id) not in (${again})
    and not ${isOfFork('r.run_id')}`;
}

export const runsDataset = dataset({
  name: 'runs',
  about: 'One row a run of a workflow, those that other runs started included.',
  columns: {
    run_id: columnIs.id('The id of the run'),
    workflow: columnIs.text('Its workflow'),
    workflow_version: columnIs.number('The version of the workflow that the run follows'),
    status: columnIs.text('`running`, `completed`, `failed` or `cancelled`'),
    is_waiting: {
      type: 'flag',
      about: 'It has not ended, and only people or other programs can continue it',
    },
    parent_run_id: columnIs.id('The run that started it; null if there is none'),
    root_run_id: columnIs.id('The first of the runs above it; null if no run started it'),
    root_stream: columnIs.text(
      'The stream for which it works, such as `session-<id>`; null if there is none',
    ),
    started_by: columnIs.text('The person on whose behalf it runs'),
    key: columnIs.text('The name that its creator gave it'),
    tags: columnIs.json('Texts by name, as JSON text'),
    failure_kind: columnIs.text('The kind of its failure'),
    created_at: columnIs.text('When it was started'),
    updated_at: columnIs.text('When its last event was recorded'),
    ended_at: columnIs.text('When it ended; null before that'),
  },
  parts: (words) => [
    {
      values: {
        run_id: 'r.run_id',
        workflow: 'r.workflow',
        workflow_version: 'r.workflow_version',
        status: 'r.status',
        is_waiting: 'r.is_waiting',
        parent_run_id: 'r.parent_run_id',
        root_run_id: 'r.root_run_id',
        root_stream: 'coalesce(r.root_stream, r.owner_stream)',
        started_by: 'r.started_by',
        key: 'r.key',
        tags: 'r.tags',
        failure_kind: words.text('r.failure', 'kind'),
        created_at: words.time('r.created_at'),
        updated_at: words.time('r.updated_at'),
        ended_at: words.time('r.ended_at'),
      },
      from: `${runsTable.name} r`,
      where: isLive(words),
      key: 'r.number',
      time: 'r.created_at',
    },
  ],
});
