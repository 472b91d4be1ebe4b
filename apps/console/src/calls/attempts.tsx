import { Link } from '@tanstack/react-router';
import { useQuery } from '@tanstack/react-query';
import { Suspense } from 'react';
import type { ListedLlmCall, LlmCall } from '#lib/client';
import { lazyPart } from '../app/lazily.js';
import { server } from '../data/server.js';
import { duration, shortId } from '../parts/format.js';
import { Status } from '../parts/status.js';
import { useCallsOfRun } from './calls-of.js';

/** Loaded when there is a difference to show. */
const Difference = lazyPart(() => import('../parts/difference.js'));

/** The other calls of the same question, and the differences between this request and the one before it. */
export function Attempts({ call }: { readonly call: LlmCall }) {
  const { runId } = call;
  const calls = useCallsOfRun(runId);
  const before = calls[calls.findIndex(({ callId }) => callId === call.callId) - 1];
  if (calls.length < 2) return null;
  return (
    <section aria-label="Attempts" className="card">
      <h2>Attempts</h2>
      <ol className="attempts">
        {calls.map((one) => (
          <Attempt key={one.callId} call={one} isThis={one.callId === call.callId} />
        ))}
      </ol>
      {before && <DifferenceFrom callId={before.callId} call={call} />}
    </section>
  );
}

function DifferenceFrom({ callId, call }: { readonly callId: string; readonly call: LlmCall }) {
  const { data: before } = useQuery({
    queryKey: ['calls', callId],
    queryFn: () => server().getLlmCall({ callId }),
  });
  if (!before) return null;
  return (
    <>
      <h3>Differences from the request before</h3>
      <Suspense fallback="Loading …">
        <Difference before={before.requestBody} after={call.requestBody} />
      </Suspense>
    </>
  );
}

function Attempt({ call, isThis }: { readonly call: ListedLlmCall; readonly isThis: boolean }) {
  const { callId, model, rung, attempt, outcome, durationMs } = call;
  const name = `${model}${rung === undefined ? '' : `, ${rung} rung`}, attempt ${attempt}`;
  return (
    <li aria-current={isThis ? 'true' : undefined}>
      {isThis ? (
        <b>{name}</b>
      ) : (
        <Link to="/calls/$id" params={{ id: callId }} title={shortId(callId)}>
          {name}
        </Link>
      )}{' '}
      <Status status={outcome} /> {durationMs !== null && <span className="dim">{duration(durationMs)}</span>}
    </li>
  );
}
