import { useQuery } from '@tanstack/react-query';
import type { RunView } from '#lib/client';
import { useEvents } from '../data/events.js';
import { server } from '../data/server.js';
import { dollars } from '../parts/format.js';
import { Loading, Problem } from '../parts/notice.js';
import { Fact } from '../parts/page.js';
import { Status } from '../parts/status.js';
import { ComparedParts } from './compared-parts.js';
import { runParts } from './run-parts.js';
import { SideHead } from './side-head.js';

/** Two runs, step by step. */
export function ComparedRuns({ a, b }: { readonly a: string; readonly b: string }) {
  const [one, other] = [useRun(a), useRun(b)];
  const error = one.error ?? other.error;
  if (error) return <Problem error={error} />;
  if (!one.read || !other.read) return <Loading />;
  return (
    <ComparedParts a={one.read.parts} b={other.read.parts}>
      <Side name="a" run={one.read.run} />
      <Side name="b" run={other.read.run} />
    </ComparedParts>
  );
}

function useRun(runId: string) {
  const run = useQuery({ queryKey: ['runs', runId], queryFn: () => server().getRun({ runId }) });
  const { list } = useEvents(['runs', runId, 'events', {}], (page) =>
    server().listRunEvents({ runId, ...page }),
  );
  // A verdict on a part of the events would be wrong.
  const events = list.isFetching ? undefined : list.data?.events;
  const read = run.data && events && { run: run.data, parts: runParts(run.data, events) };
  return { error: run.error ?? list.error, read };
}

interface SideProps {
  readonly name: 'a' | 'b';
  readonly run: RunView;
}

function Side({ name, run: { runId, workflow, workflowVersion, status, usage } }: SideProps) {
  return (
    <SideHead name={name} kind="run" id={runId} about={`${workflow} version ${workflowVersion}`}>
      <Status status={status} />
      <Fact name="Calls">{usage.calls}</Fact>
      <Fact name="Cost">{dollars(usage.costUSD)}</Fact>
    </SideHead>
  );
}
