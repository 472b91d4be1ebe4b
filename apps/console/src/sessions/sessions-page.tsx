import { Link } from '@tanstack/react-router';
import type { ListSessionsInput, SessionSummary } from '#lib/client';
import { useAddress } from '../app/address.js';
import { usePages } from '../data/pages.js';
import { server } from '../data/server.js';
import { Filters, SelectFilter, TextFilter } from '../parts/filters.js';
import { type Column, ListTable } from '../parts/list-table.js';
import { Name } from '../parts/name.js';
import { Empty } from '../parts/notice.js';
import { LabelFilters, labelText } from '../parts/labels.js';
import { listOutside } from '../parts/outside-the-browser.js';
import { Page } from '../parts/page.js';
import { Status } from '../parts/status.js';
import { Ago } from '../parts/time.js';
import { SessionLink } from '../parts/session-link.js';
import { subjectOf } from './subject.js';

const COLUMNS: { readonly [heading: string]: Column<SessionSummary> } = {
  Session: {
    cell: ({ sessionId, metaJson }) => (
      <>
        <SessionLink sessionId={sessionId} />
        <span className="narrow dim">{subjectOf(metaJson)}</span>
      </>
    ),
  },
  Status: { cell: ({ status }) => <Status status={status} /> },
  State: { cell: ({ currentState }) => <Name text={currentState} /> },
  Machine: {
    wide: true,
    cell: ({ machineName }) => (
      <Link to="/machines/$id" params={{ id: machineName }}>
        <Name text={machineName} />
      </Link>
    ),
  },
  About: {
    wide: true,
    cell: (session) => (
      <span className="cut">
        {[labelText(session), subjectOf(session.metaJson)].filter(Boolean).join(' · ')}
      </span>
    ),
  },
  Changed: { wide: true, right: true, cell: ({ updatedAt }) => <Ago time={updatedAt} /> },
};

export function SessionsPage() {
  const { status, machineName, currentState, forkedFrom, idPrefix, key, tag } = useAddress();
  const labels = { key, tag };
  const filter = { status, machineName, currentState, forkedFrom, idPrefix, ...labels };
  const list = usePages(['sessions', filter], (page) =>
    server().listSessions({ ...(filter as ListSessionsInput), history: 'none', ...page }),
  );
  const options = {
    status,
    machine: machineName,
    state: currentState,
    'forked-from': forkedFrom,
    'id-prefix': idPrefix,
    ...labels,
  };
  return (
    <Page title="Sessions" outside={listOutside('/sessions', ['sessions'], filter, options)}>
      <Filters>
        <SelectFilter name="status" label="Status" options={['open', 'needs_human', 'done', 'closed']} />
        <TextFilter name="machineName" label="Machine" />
        <TextFilter name="currentState" label="State" />
        <TextFilter name="forkedFrom" label="Forks of" />
        <LabelFilters />
      </Filters>
      <ListTable
        label="Sessions"
        list={list}
        columns={COLUMNS}
        keyOf={({ sessionId }) => sessionId}
        linkOf={({ sessionId }) => `/sessions/${sessionId}`}
        empty={
          Object.values(filter).some(Boolean) ? (
            <Empty title="No session fits these filters" />
          ) : (
            <Empty title="No sessions yet">
              <p>
                Create one with <code>POST /v1/sessions</code> or <code>redial run machine.json</code>.
              </p>
            </Empty>
          )
        }
      />
    </Page>
  );
}
