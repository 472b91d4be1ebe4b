import { Link } from '@tanstack/react-router';
import { useQuery } from '@tanstack/react-query';
import type { Owner } from '../calls/calls-of.js';
import { server } from '../data/server.js';
import { sentence } from '../parts/format.js';
import { Ago } from '../parts/time.js';

/** The tasks of a session, run or conversation, above its other parts: it waits for them. */
export function TasksOf({ owner }: { readonly owner: Owner }) {
  const { data } = useQuery({ queryKey: ['tasks', 'of', owner], queryFn: () => server().listTasks(owner) });
  if (!data || data.items.length === 0) return null;
  return (
    <div className="callouts">
      {data.items.map(({ taskId, title, detail, since }) => (
        <p key={taskId} className="callout">
          <span>
            <b>{title}</b> {sentence(detail)}{' '}
            <span className="dim">
              Asked <Ago time={since} />.
            </span>
          </span>
          <Link to="/tasks/$id" params={{ id: taskId }} className="button primary">
            Open the task
          </Link>
        </p>
      ))}
    </div>
  );
}
