import { Link } from '@tanstack/react-router';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { SessionSummary } from '#lib/client';
import type { Search } from '../app/search-params.js';
import { server } from '../data/server.js';
import { count, duration, whole } from '../parts/format.js';
import { Empty, Loading, Problem } from '../parts/notice.js';
import { useOpenOnClick } from '../parts/open-on-click.js';
import { Page } from '../parts/page.js';
import { Status } from '../parts/status.js';
import { Ago } from '../parts/time.js';
import { SessionLink } from '../parts/session-link.js';
import { subjectOf } from '../sessions/subject.js';
import { subtotals, type Subtotal } from './totals.js';

const LATEST = 8;
/** Larger numbers are shown as `500+`. */
const MOST = 500;

export function OverviewPage() {
  return (
    <Page title="Overview" outside={{ path: '/tasks/counts', command: ['tasks', 'counts'] }}>
      <div className="tiles">
        <TasksTile />
        <RunsTile status="failed" title="Runs that failed" />
        <RunsTile status="running" title="Runs under way" />
        <SessionsTile />
        <DecisionsTile />
        <ModelTiles />
      </div>
      <Latest />
    </Page>
  );
}

function Tile({
  to,
  title,
  search = {},
  children,
}: {
  to: string;
  title: string;
  search?: Search;
  children: ReactNode;
}) {
  return (
    <Link to={to} search={search} className="tile">
      <span className="tile-title">{title}</span>
      {children}
    </Link>
  );
}

function TasksTile() {
  const { data } = useQuery({
    queryKey: ['tasks', 'counts'],
    queryFn: () => server().countTasks(),
    // A task becomes overdue without an event.
    refetchInterval: 30_000,
  });
  return (
    <Tile to="/tasks" title="Waits for people">
      <span className="tile-number">{data ? whole(data.open + data.claimed) : '–'}</span>
      <span className="dim">
        {data && (
          <span className={data.overdue > 0 ? 'late' : undefined}>{`${whole(data.overdue)} overdue`}</span>
        )}
        {data && `, ${whole(data.claimed)} claimed`}
      </span>
    </Tile>
  );
}

function RunsTile({ status, title }: { readonly status: 'failed' | 'running'; readonly title: string }) {
  const { data } = useQuery({
    queryKey: ['runs', 'count', status],
    queryFn: () => server().listRuns({ status, limit: MOST }),
  });
  return (
    <Tile to="/runs" search={{ status }} title={title}>
      <span className="tile-number">{countOf(data)}</span>
    </Tile>
  );
}

function SessionsTile() {
  const { data } = useQuery({
    queryKey: ['sessions', 'count'],
    queryFn: () => server().listSessions({ status: 'open', history: 'none', limit: MOST }),
  });
  return (
    <Tile to="/sessions" search={{ status: 'open' }} title="Open sessions">
      <span className="tile-number">{countOf(data)}</span>
    </Tile>
  );
}

function countOf(
  page: { readonly items: readonly unknown[]; readonly nextCursor: string | null } | undefined,
) {
  if (!page) return '–';
  return page.nextCursor === null ? whole(page.items.length) : `${whole(page.items.length)}+`;
}

/** The start of the current day, in UTC like the statistics. */
function today(): string {
  return `${new Date().toISOString().slice(0, 10)}T00:00:00.000Z`;
}

function DecisionsTile() {
  const { data } = useQuery({
    queryKey: ['decisions', 'today'],
    queryFn: () => server().getDecisionDays({ by: 'day', from: today() }),
  });
  const { humanDecisions = 0, agreedDecisions = 0, aiDecisions = 0 } = data?.items[0] ?? {};
  return (
    <Tile to="/machines" title="Decisions today">
      <span className="tile-number">
        {data ? whole(humanDecisions + agreedDecisions + aiDecisions) : '–'}
      </span>
      <span className="dim">
        {data
          ? `${whole(humanDecisions)} by people, ${whole(agreedDecisions)} by agreement, ${whole(aiDecisions)} by models and rules alone`
          : ''}
      </span>
    </Tile>
  );
}

/** The calls of the current day. */
function ModelTiles() {
  const { data } = useQuery({
    queryKey: ['models', 'today'],
    queryFn: () => server().getModelStatistics({ from: today() }),
  });
  const total: Subtotal = subtotals(data?.items ?? []);
  return (
    <>
      <Tile to="/calls" title="Model calls today">
        <span className="tile-number">{data ? whole(total.calls) : '–'}</span>
        <span className="dim">{data ? `${count(total.failedCalls, 'call')} failed` : ''}</span>
      </Tile>
      <Tile to="/models" title="Cost today">
        <span className="tile-number">{total.cost}</span>
        <span className="dim">
          {total.meanMs === undefined ? '' : `${duration(total.meanMs)} a call`}
          {total.unpriced > 0 && `, ${count(total.unpriced, 'call')} without a price`}
        </span>
      </Tile>
    </>
  );
}

function Latest() {
  const { data, error } = useQuery({
    queryKey: ['sessions', 'latest'],
    queryFn: () => server().listSessions({ history: 'none', limit: LATEST }),
  });
  return (
    <section aria-label="Latest sessions">
      <h2>Latest sessions</h2>
      {error && <Problem error={error} />}
      {!data && !error && <Loading />}
      {data?.items.length === 0 && (
        <Empty title="No sessions yet">
          <p>
            Run a machine, and it appears here: <code>redial run machine.json</code>.
          </p>
        </Empty>
      )}
      {data && data.items.length > 0 && <LatestList sessions={data.items} />}
    </section>
  );
}

function LatestList({ sessions }: { readonly sessions: readonly SessionSummary[] }) {
  return (
    <ul className="latest">
      {sessions.map((session) => (
        <LatestRow key={session.sessionId} session={session} />
      ))}
    </ul>
  );
}

function LatestRow({ session }: { readonly session: SessionSummary }) {
  const { sessionId, status, currentState, metaJson, machineName, updatedAt } = session;
  const open = useOpenOnClick(`/sessions/${sessionId}`);
  return (
    <li className="opens" onClick={open}>
      <SessionLink sessionId={sessionId} />
      <Status status={status} />
      <span>{currentState}</span>
      <span className="cut dim">{subjectOf(metaJson) || machineName}</span>
      <span className="dim latest-time">
        <Ago time={updatedAt} />
      </span>
    </li>
  );
}
