import type { Experiment, ResumeExperimentInput } from '#lib/client';
import { useQuery } from '@tanstack/react-query';
import { useId } from '../app/address.js';
import { UnknownThing } from '../app/not-found-page.js';
import { useMay } from '../data/principal.js';
import { isUnknown, server } from '../data/server.js';
import type { Field } from '../forms/fields.js';
import { ActionButton } from '../parts/action-button.js';
import { FormDialog } from '../parts/form-dialog.js';
import { count, dollars, shortId, whole } from '../parts/format.js';
import { Loading, Problem } from '../parts/notice.js';
import { Fact, Page, TimeFact } from '../parts/page.js';
import { Status } from '../parts/status.js';
import { Tabs } from '../parts/tabs.js';
import { Points } from './points.js';
import { Report } from './report.js';

const KEY = ['experiments'];

const LIMITS: readonly Field[] = [
  { name: 'maxCostUSD', label: 'US dollars in all', kind: 'number', isNeeded: false },
  { name: 'maxCalls', label: 'Calls in all', kind: 'number', isNeeded: false },
];

/** One experiment: whether its variants decide as the recorded decisions did. */
export function ExperimentPage() {
  const experimentId = useId();
  const { data, error } = useQuery({
    queryKey: [...KEY, experimentId],
    queryFn: () => server().getExperiment({ experimentId }),
  });
  if (isUnknown(error)) return <UnknownThing kind="experiment" id={experimentId} list="/experiments" />;
  return (
    <Page
      title={data?.name ?? `Experiment ${shortId(experimentId)}`}
      outside={{ path: `/experiments/${experimentId}`, command: ['experiments', 'show', experimentId] }}
      facts={data && <Facts experiment={data} />}
      actions={data && <Actions experiment={data} />}
    >
      {error && <Problem error={error} />}
      {data ? <Views experiment={data} /> : !error && <Loading />}
    </Page>
  );
}

function Views({ experiment }: { readonly experiment: Experiment }) {
  return (
    <Tabs
      tabs={{
        Report: () => <Report experiment={experiment} />,
        Points: () => <Points experiment={experiment} />,
      }}
    />
  );
}

function Facts({ experiment }: { readonly experiment: Experiment }) {
  const { status, machineName, points, samples, progress, spent, startedAt, failure, stoppedBy } = experiment;
  return (
    <>
      <p className="fact-line">
        <Status status={status} />
        <Fact name="Machine">{machineName}</Fact>
        <Fact name="Points">{whole(points)}</Fact>
        {samples > 1 && <Fact name="Samples">{whole(samples)}</Fact>}
        <Fact name="Answered">
          {whole(progress.done)} of {whole(progress.total)}
          {progress.failed > 0 && `, ${whole(progress.failed)} failed`}
        </Fact>
        <Fact name="Spent">
          {count(spent.calls, 'call')}, {dollars(spent.costUSD)}
        </Fact>
        <TimeFact name="Started" time={startedAt} />
      </p>
      {stoppedBy && <p className="problem">Stopped by its limit of {stoppedBy}</p>}
      {failure && (
        <p className="problem">
          {failure.kind}: {failure.message}
        </p>
      )}
    </>
  );
}

function Actions({ experiment: { experimentId, status } }: { readonly experiment: Experiment }) {
  const mayAct = useMay('operator');
  if (!mayAct || (status !== 'running' && status !== 'stopped')) return null;
  return (
    <>
      {status === 'stopped' && (
        <FormDialog
          button="Resume"
          title="Resume with larger limits"
          verb="Resume"
          fields={LIMITS}
          begun={{}}
          send={(limits) =>
            server().resumeExperiment({
              ...(limits as Omit<ResumeExperimentInput, 'experimentId'>),
              experimentId,
            })
          }
          changes={KEY}
        />
      )}
      <ActionButton
        label="Cancel experiment"
        act={() => server().cancelExperiment({ experimentId })}
        changes={KEY}
        warning={{
          title: 'Cancel this experiment',
          text: 'Calls without an answer are given up. It makes no more calls, and cannot be resumed.',
        }}
      />
    </>
  );
}
