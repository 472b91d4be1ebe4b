import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Suspense } from 'react';
import type { Session } from '#lib/client';
import { useId } from '../app/address.js';
import { UnknownThing } from '../app/not-found-page.js';
import { lazyPart } from '../app/lazily.js';
import { CallsOf } from '../calls/calls-of.js';
import { type Events, useEvents } from '../data/events.js';
import { type AtMoment, useMoment } from '../data/moment.js';
import { isUnknown, server } from '../data/server.js';
import { CompareButton, Origin } from '../forks/origin.js';
import { shortId } from '../parts/format.js';
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
import { HistoryTable } from '../timeline/history-table.js';
import { Timeline } from '../timeline/timeline.js';
import { WithEvent } from '../timeline/with-event.js';
import { TasksOf } from '../tasks/tasks-of.js';
import { DriveSession } from './drive-session.js';
import { ForkSession } from './fork-session.js';

/** Loaded when it is looked at: the layout of graphs is large. */
const Diagram = lazyPart(() => import('../diagram/machine-diagram.js'));

export function SessionPage() {
  const sessionId = useId();
  const moment = useMoment(['sessions', sessionId], (at) =>
    server().getSession({ sessionId, history: 'none', ...at }),
  );
  const { at, shown: session } = moment;
  // Requested together with the session: neither waits for the other.
  const events = useEvents(['sessions', sessionId, 'events', at], (page) =>
    server().listSessionEvents({ sessionId, ...at, ...page }),
  );
  const outside = useTabOutside('/sessions', [], sessionId);
  if (isUnknown(session.error) && at.at === undefined)
    return <UnknownThing kind="session" id={sessionId} list="/sessions" />;
  const title = `Session ${shortId(sessionId)}`;
  return (
    <Page
      title={title}
      outside={outside}
      facts={session.data && <Facts session={session.data} />}
      actions={session.data && <Actions session={session.data} />}
    >
      {session.error && <Problem error={session.error} />}
      {session.data?.status === 'needs_human' && !at.at && <TasksOf owner={{ sessionId }} />}
      {session.data?.status === 'open' && !at.at && (
        <section aria-label="Next step" className="card what-next">
          <DriveSession session={session.data}>This session</DriveSession>
        </section>
      )}
      <TimeSlider moment={moment} />
      {session.data ? (
        <Views session={session.data} at={at} events={events} />
      ) : (
        !session.error && <Loading />
      )}
    </Page>
  );
}

function Actions({ session }: { readonly session: Session }) {
  const { sessionId } = session;
  return (
    <>
      {!session.erased && <ForkSession session={session} />}
      <CompareButton id={sessionId} />
      <ExportHistory name={`session-${sessionId}`} read={() => server().getSessionHistory({ sessionId })} />
    </>
  );
}

function Facts({ session }: { readonly session: Session }) {
  const { machineName, machineVersion, currentState, status, metaJson, updatedAt, forkedFrom } = session;
  return (
    <>
      <p className="fact-line">
        <Status status={status} />
        <Fact name="State">{currentState}</Fact>
        <Fact name="Machine">
          <Link to="/machines/$id" params={{ id: machineName }}>
            {machineName}
          </Link>
          {machineVersion !== undefined && ` version ${machineVersion}`}
        </Fact>
        <TimeFact name="Changed" time={updatedAt} />
        <Labels of={session} list="/sessions" />
        {forkedFrom && (
          <Origin list="/sessions" id={session.sessionId} parentId={forkedFrom.sessionId} from={forkedFrom} />
        )}
      </p>
      {metaJson && (
        <details className="about" open>
          <summary>About</summary>
          <Readable value={metaJson} />
        </details>
      )}
    </>
  );
}

interface ViewsProps {
  readonly session: Session;
  readonly at: AtMoment<Session>['at'];
  readonly events: Events;
}

function Views({ session, at, events }: ViewsProps) {
  const { sessionId } = session;
  return (
    <Tabs
      tabs={{
        Timeline: () => (
          <WithEvent query={events}>{(shown) => <Timeline {...shown} group="Round" />}</WithEvent>
        ),
        History: () => <WithEvent query={events}>{(shown) => <HistoryTable {...shown} />}</WithEvent>,
        Diagram: () => (
          <Suspense fallback={<Loading />}>
            <Path key={sessionId} session={session} at={at} />
          </Suspense>
        ),
        Calls: () => <CallsOf owner={{ sessionId }} at={at.at} />,
        Replay: () => <ReplayTab verify={() => server().replaySession({ sessionId })} />,
      }}
    />
  );
}

/** The machine with the path of the session. */
function Path({ session: { sessionId, machine, currentState }, at }: Omit<ViewsProps, 'events'>) {
  const { data, error } = useQuery({
    queryKey: ['sessions', sessionId, 'path', at],
    queryFn: async () => (await server().getSession({ sessionId, ...at })).history,
    placeholderData: keepPreviousData,
  });
  if (error) return <Problem error={error} />;
  return data ? <Diagram machine={machine} path={data} current={currentState} /> : <Loading />;
}
