import { Link } from '@tanstack/react-router';
import type { ExperimentSummary, ListExperimentsInput } from '#lib/client';
import { useAddress } from '../app/address.js';
import { usePages } from '../data/pages.js';
import { server } from '../data/server.js';
import { Filters, SelectFilter } from '../parts/filters.js';
import { shortId, whole } from '../parts/format.js';
import { type Column, ListTable } from '../parts/list-table.js';
import { Name } from '../parts/name.js';
import { Empty } from '../parts/notice.js';
import { listOutside } from '../parts/outside-the-browser.js';
import { Page } from '../parts/page.js';
import { Status } from '../parts/status.js';
import { Ago } from '../parts/time.js';

const STATUSES = ['running', 'completed', 'stopped', 'cancelled', 'failed'];

const COLUMNS: { readonly [heading: string]: Column<ExperimentSummary> } = {
  Experiment: {
    cell: ({ experimentId, name }) => (
      <Link to="/experiments/$id" params={{ id: experimentId }} className={name === undefined ? 'id' : ''}>
        <span className="cut">{name ?? shortId(experimentId)}</span>
      </Link>
    ),
  },
  Status: { cell: ({ status }) => <Status status={status} /> },
  Machine: { cell: ({ machineName }) => <Name text={machineName} /> },
  Variants: { wide: true, cell: ({ variants }) => <span className="cut">{variants.join(', ')}</span> },
  Points: { wide: true, right: true, cell: ({ points }) => whole(points) },
  Started: { wide: true, right: true, cell: ({ startedAt }) => <Ago time={startedAt} /> },
};

export function ExperimentsPage() {
  const { status } = useAddress();
  const filter = { status };
  const list = usePages(['experiments', filter], (page) =>
    server().listExperiments({ ...(filter as ListExperimentsInput), ...page }),
  );
  return (
    <Page title="Experiments" outside={listOutside('/experiments', ['experiments', 'list'], filter)}>
      <Filters>
        <SelectFilter name="status" label="Status" options={STATUSES} />
      </Filters>
      <ListTable
        label="Experiments"
        list={list}
        columns={COLUMNS}
        keyOf={({ experimentId }) => experimentId}
        linkOf={({ experimentId }) => `/experiments/${experimentId}`}
        empty={
          <Empty title={status ? 'No experiment has this status' : 'No experiments yet'}>
            <p>An experiment asks another model or prompt about decided rounds, and compares.</p>
            <p>
              Start one with <code>redial experiment run experiment.json</code>.
            </p>
          </Empty>
        }
      />
    </Page>
  );
}
