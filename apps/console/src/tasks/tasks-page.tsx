import { Link } from '@tanstack/react-router';
import type { ListTasksInput, Task } from '#lib/client';
import { useAddress } from '../app/address.js';
import { usePages } from '../data/pages.js';
import { server } from '../data/server.js';
import { Filters, SelectFilter, TextFilter } from '../parts/filters.js';
import { type Column, ListTable } from '../parts/list-table.js';
import { Name } from '../parts/name.js';
import { Empty } from '../parts/notice.js';
import { listOutside } from '../parts/outside-the-browser.js';
import { Page } from '../parts/page.js';
import { Badge, Status } from '../parts/status.js';
import { Ago } from '../parts/time.js';
import { subjectOf } from '../sessions/subject.js';
import { type About, proposalsOf } from './task-types.js';

const COLUMNS: { readonly [heading: string]: Column<Task> } = {
  Task: {
    cell: ({ taskId, title, question, about }) => (
      <div className="task-cell">
        <Link to="/tasks/$id" params={{ id: taskId }}>
          <Name text={title} />
        </Link>
        <span className="dim cut-two">{subjectOf((about as About).metaJson) || question}</span>
      </div>
    ),
  },
  Status: {
    cell: (task) => (
      <>
        <Status status={task.status} /> {task.overdue && <Badge tone="bad">overdue</Badge>}
      </>
    ),
  },
  Proposed: { wide: true, cell: (task) => <Proposed task={task} /> },
  For: { wide: true, cell: ({ assignee, claimedBy }) => <Name text={claimedBy ?? assignee ?? '–'} /> },
  Due: { right: true, cell: ({ dueAt }) => (dueAt === undefined ? '–' : <Ago time={dueAt} />) },
  Asked: { wide: true, right: true, cell: ({ since }) => <Ago time={since} /> },
};

const KINDS = { decision: 'decision', approval: 'approval', answer: 'question' };
const SORTS = { since: 'oldest first', priority: 'most urgent first' };

export function TasksPage() {
  const { status, kind, machineName, candidate, key, sort } = useAddress();
  const filter = { status, kind, machineName, candidate, key, sort };
  const list = usePages(['tasks', 'list', filter], (page) =>
    server().listTasks({ ...(filter as ListTasksInput), ...page }),
  );
  const isFiltered = [status, kind, machineName, candidate, key].some(Boolean);
  const options = { status, kind, machine: machineName, candidate, key, sort };
  return (
    <Page title="Tasks" outside={listOutside('/tasks', ['tasks', 'list'], filter, options)}>
      <Filters>
        <SelectFilter
          name="status"
          label="Status"
          anyWords="open or claimed"
          options={['open', 'claimed', 'answered', 'expired', 'withdrawn', 'all']}
        />
        <SelectFilter name="kind" label="Kind" options={Object.keys(KINDS)} words={KINDS} />
        <TextFilter name="machineName" label="Machine" />
        <TextFilter name="candidate" label="Who can answer" />
        <TextFilter name="key" label="Key" />
        <SelectFilter
          name="sort"
          label="Sort"
          anyWords="due first"
          options={Object.keys(SORTS)}
          words={SORTS}
        />
      </Filters>
      <ListTable
        label="Tasks"
        list={list}
        columns={COLUMNS}
        keyOf={({ taskId }) => taskId}
        linkOf={({ taskId }) => `/tasks/${taskId}`}
        empty={
          isFiltered ? (
            <Empty title="No task fits these filters" />
          ) : (
            <Empty title="No task waits for people">
              <p>Decisions, approvals and questions appear here while they are open.</p>
            </Empty>
          )
        }
      />
    </Page>
  );
}

/** The proposed transitions, each with the number of its proposals. */
function Proposed({ task }: { readonly task: Task }) {
  const counts = new Map<string, number>();
  for (const { transitionName } of proposalsOf(task))
    counts.set(transitionName, (counts.get(transitionName) ?? 0) + 1);
  const words = [...counts].map(([name, times]) => (times === 1 ? name : `${name} ×${times}`));
  return words.length === 0 ? <span className="dim">none</span> : <Name text={words.join(', ')} />;
}
