import { Link } from '@tanstack/react-router';
import type { ListRunsInput, RunSummary } from '#lib/client';
import { useAddress } from '../app/address.js';
import { usePages } from '../data/pages.js';
import { server } from '../data/server.js';
import { Filters, SelectFilter, TextFilter } from '../parts/filters.js';
import { dollars, shortId, whole } from '../parts/format.js';
import { type Column, ListTable } from '../parts/list-table.js';
import { Name } from '../parts/name.js';
import { Empty } from '../parts/notice.js';
import { LabelFilters, labelText } from '../parts/labels.js';
import { listOutside } from '../parts/outside-the-browser.js';
import { Page } from '../parts/page.js';
import { Status } from '../parts/status.js';
import { Ago } from '../parts/time.js';

const COLUMNS: { readonly [heading: string]: Column<RunSummary> } = {
  Run: {
    cell: ({ runId }) => (
      <Link to="/runs/$id" params={{ id: runId }} className="id">
        {shortId(runId)}
      </Link>
    ),
  },
  Status: { cell: ({ status }) => <Status status={status} /> },
  Workflow: { cell: ({ workflow }) => <Name text={workflow} /> },
  Labels: { wide: true, cell: (run) => <span className="cut">{labelText(run)}</span> },
  Failure: { wide: true, cell: ({ failure }) => <span className="cut">{failure?.message ?? ''}</span> },
  Calls: { wide: true, right: true, cell: ({ usage }) => whole(usage.calls) },
  Cost: { wide: true, right: true, cell: ({ usage }) => dollars(usage.costUSD) },
  Changed: { wide: true, right: true, cell: ({ updatedAt }) => <Ago time={updatedAt} /> },
};

export function RunsPage() {
  const { status, workflow, forkedFrom, idPrefix, key, tag } = useAddress();
  const shared = { status, workflow, key, tag };
  const filter = { ...shared, forkedFrom, idPrefix };
  const list = usePages(['runs', filter], (page) =>
    server().listRuns({ ...(filter as ListRunsInput), ...page }),
  );
  return (
    <Page
      title="Runs"
      outside={listOutside('/runs', ['runs', 'list'], filter, {
        ...shared,
        'forked-from': forkedFrom,
        'id-prefix': idPrefix,
      })}
    >
      <Filters>
        <SelectFilter
          name="status"
          label="Status"
          options={['running', 'waiting', 'completed', 'failed', 'cancelled']}
        />
        <TextFilter name="workflow" label="Workflow" />
        <TextFilter name="forkedFrom" label="Forks of" />
        <LabelFilters />
      </Filters>
      <ListTable
        label="Runs"
        list={list}
        columns={COLUMNS}
        keyOf={({ runId }) => runId}
        linkOf={({ runId }) => `/runs/${runId}`}
        empty={
          <Empty title={Object.values(filter).some(Boolean) ? 'No run fits these filters' : 'No runs yet'} />
        }
      />
    </Page>
  );
}
