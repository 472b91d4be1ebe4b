import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { RunView } from '#lib/client';
import { AS_ASKED } from '../data/query-client.js';
import { server } from '../data/server.js';
import { shortId } from '../parts/format.js';
import { Fact } from '../parts/page.js';
import { SessionLink } from '../parts/session-link.js';

/** The session that asked for a run, else the run that started it. */
export function StartedBy({ run }: { readonly run: RunView }) {
  const { parent: runId } = run;
  const { data: parent } = useQuery({
    queryKey: ['runs', runId, 'input'],
    queryFn: () => server().getRun({ runId: runId ?? '' }),
    ...AS_ASKED,
    enabled: runId !== undefined,
  });
  const sessionId = sessionIn(run) ?? (parent && sessionIn(parent));
  if (sessionId !== undefined)
    return (
      <Fact name="Session">
        <SessionLink sessionId={sessionId} />
      </Fact>
    );
  if (!parent) return null;
  return (
    <Fact name="Started by">
      {parent.workflow}{' '}
      <Link to="/runs/$id" params={{ id: parent.runId }} className="id">
        {shortId(parent.runId)}
      </Link>
    </Fact>
  );
}

/** Runs of the engine that ask a proposer for a session have its id in their input. */
function sessionIn({ isInternal = false, input }: RunView): string | undefined {
  const { sessionId } = Object(input) as { readonly sessionId?: unknown };
  return isInternal && typeof sessionId === 'string' ? sessionId : undefined;
}
