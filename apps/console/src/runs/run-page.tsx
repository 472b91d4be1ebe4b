import { Suspense } from 'react';
import type { RunView } from '#lib/client';
import { useId } from '../app/address.js';
import { UnknownThing } from '../app/not-found-page.js';
import { lazyPart } from '../app/lazily.js';
import { CallsOf } from '../calls/calls-of.js';
import { useEvents } from '../data/events.js';
import { type AtMoment, useMoment } from '../data/moment.js';
import { isUnknown, server } from '../data/server.js';
import { CompareButton, Origin } from '../forks/origin.js';
import { dollars, shortId } from '../parts/format.js';
import { ExportHistory } from '../parts/export-history.js';
import { Readable } from '../parts/json-view.js';
import { Labels } from '../parts/labels.js';
import { Loading, Problem } from '../parts/notice.js';
import { useTabOutside } from '../parts/outside-the-browser.js';
import { Fact, Page, TimeFact } from '../parts/page.js';
import { ReplayTab } from '../parts/replay-tab.js';
import { Status } from '../parts/status.js';
import { Tabs } from '../parts/tabs.js';
import { TimeSlider } from '../parts/time-slider.js';
import { TasksOf } from '../tasks/tasks-of.js';
import { HistoryTable } from '../timeline/history-table.js';
import { Timeline } from '../timeline/timeline.js';
import { WithEvent } from '../timeline/with-event.js';
import { ForkRun } from './fork-run.js';
import { SetAside } from './set-aside.js';
import { StartedBy } from './started-by.js';

/** Loaded when it is shown: the layout of graphs is large. */
const WhyDiagram = lazyPart(() => import('../diagram/why-diagram.js'));

export function RunPage() {
  const runId = useId();
  const moment = useMoment(['runs', runId], (at) => server().getRun({ runId, ...at }));
  const { at, shown: run } = moment;
  const outside = useTabOutside('/runs', ['runs'], runId);
  if (isUnknown(run.error) && at.at === undefined) return <UnknownThing kind="run" id={runId} list="/runs" />;
  return (
    <Page
      title={`Run ${shortId(runId)}`}
      outside={outside}
      facts={run.data && <Facts run={run.data} />}
      actions={run.data && <Actions run={run.data} />}
    >
      {run.error && <Problem error={run.error} />}
      {run.data && run.data.endedAt === undefined && !at.at && <SetAside runId={runId} />}
      {run.data?.status === 'waiting' && !at.at && <TasksOf owner={{ runId }} />}
      <TimeSlider moment={moment} />
      {run.data ? <Views runId={runId} at={at} /> : !run.error && <Loading />}
    </Page>
  );
}

function Actions({ run }: { readonly run: RunView }) {
  const { runId } = run;
  return (
    <>
      {!run.isInternal && !run.erased && <ForkRun run={run} />}
      <CompareButton id={runId} />
      <ExportHistory name={`run-${runId}`} read={() => server().getRunHistory({ runId })} />
    </>
  );
}

function Facts({ run }: { readonly run: RunView }) {
  const { status, workflow, workflowVersion, usage, updatedAt, failure, input, result, forkedFrom } = run;
  return (
    <>
      <p className="fact-line">
        <Status status={status} />
        <Fact name="Workflow">
          {workflow} version {workflowVersion}
        </Fact>
        <StartedBy run={run} />
        <Fact name="Cost">{dollars(usage.costUSD)}</Fact>
        <TimeFact name="Changed" time={updatedAt} />
        <Labels of={run} list="/runs" />
        {forkedFrom && <Origin list="/runs" id={run.runId} parentId={forkedFrom.runId} from={forkedFrom} />}
      </p>
      {failure && (
        <p className="problem">
          {failure.kind}: {failure.message}
        </p>
      )}
      <details className="about">
        <summary>Input{result !== undefined && ' and result'}</summary>
        <Readable value={result === undefined ? { input } : { input, result }} />
      </details>
    </>
  );
}

interface ViewsProps {
  readonly runId: string;
  readonly at: AtMoment<RunView>['at'];
}

function Views({ runId, at }: ViewsProps) {
  const events = useEvents(['runs', runId, 'events', at], (page) =>
    server().listRunEvents({ runId, ...at, ...page }),
  );
  return (
    <Tabs
      tabs={{
        Timeline: () => <WithEvent query={events}>{(shown) => <Timeline {...shown} />}</WithEvent>,
        History: () => <WithEvent query={events}>{(shown) => <HistoryTable {...shown} />}</WithEvent>,
        Diagram: () => (
          <Suspense fallback={<Loading />}>
            <WhyDiagram of={['runs', runId, at]} read={() => server().whyRun({ runId, ...at })} />
          </Suspense>
        ),
        Calls: () => <CallsOf owner={{ runId }} at={at.at} />,
        Replay: () => <ReplayTab verify={() => server().replayRun({ runId })} />,
      }}
    />
  );
}
