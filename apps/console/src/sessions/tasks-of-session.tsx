import { Link } from '@tanstack/react-router';
import { useQuery } from '@tanstack/react-query';
import { server } from '../data/server.js';
import { sentence } from '../parts/format.js';
import { Ago } from '../parts/time.js';

/** The tasks of a session that waits for people, above everything else: they are why it stands still. */
export function TasksOfSession({ sessionId }: { readonly sessionId: string }) {
  const { data } = useQuery({
    queryKey: ['tasks', 'of', sessionId],
    queryFn: () => server().listTasks({ sessionId }),
  });
  return (
    <div className="callouts">
      {data?.items.map(({ taskId, title, detail, since }) => (
        <p key={taskId} className="callout">
          <span>
            <b>{title}</b> {sentence(detail)}{' '}
            <span className="dim">
              Waits since <Ago time={since} />.
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
