import { Link } from '@tanstack/react-router';
import { useQuery } from '@tanstack/react-query';
import { server } from '../data/server.js';

const MOST = 500;

/** Why no process continues an open run. */
export function SetAside({ runId }: { readonly runId: string }) {
  const { data } = useQuery({
    queryKey: ['recovery', 'all'],
    queryFn: () => server().listRecovery({ limit: MOST }),
  });
  const found = data?.items.find(({ stream, status }) => status === 'set-aside' && stream.endsWith(runId));
  if (!found) return null;
  return (
    <p className="callout">
      <span>
        <b>It is set aside.</b> {found.failure}
      </span>
      <Link to="/system">Start it again or give it up: see Recovery</Link>
    </p>
  );
}
