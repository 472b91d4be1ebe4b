import type { PersonView, ProjectionView, SetAsideView } from '#lib/client';
import { useWholeList } from '../data/pages.js';
import { server } from '../data/server.js';
import { whole } from '../parts/format.js';
import { type Column, ListTable } from '../parts/list-table.js';
import { Empty } from '../parts/notice.js';
import { Page } from '../parts/page.js';
import { Status } from '../parts/status.js';
import { Ago } from '../parts/time.js';
import { RecoveryButtons } from './recovery-buttons.js';

const PROJECTIONS: { readonly [heading: string]: Column<ProjectionView> } = {
  Projection: { cell: ({ name }) => name },
  Status: { cell: ({ status }) => <Status status={status} /> },
  'Events behind': { right: true, cell: ({ lag }) => whole(lag) },
  Version: { wide: true, right: true, cell: ({ version }) => version },
  Error: {
    wide: true,
    cell: ({ error }) => <span className="cut">{error ? JSON.stringify(error) : ''}</span>,
  },
};

const RECOVERY: { readonly [heading: string]: Column<SetAsideView> } = {
  Stream: { cell: ({ stream }) => <span className="id cut">{stream}</span> },
  Failure: { cell: ({ failure }) => <span className="cut">{failure}</span> },
  Attempts: { wide: true, right: true, cell: ({ attempts }) => whole(attempts) },
  Since: { wide: true, right: true, cell: ({ since }) => <Ago time={since} /> },
  Status: {
    cell: (one) => (one.status === 'set-aside' ? <RecoveryButtons stream={one.stream} /> : one.status),
  },
};

const PEOPLE: { readonly [heading: string]: Column<PersonView> } = {
  Person: { cell: ({ personId, name }) => (name === undefined ? personId : `${name} (${personId})`) },
  Role: { cell: ({ role }) => role },
  Groups: { wide: true, cell: ({ groups = [] }) => groups.join(', ') || '–' },
  Since: { wide: true, right: true, cell: ({ createdAt }) => <Ago time={createdAt} /> },
};

export function SystemPage() {
  const projections = useWholeList(['projections'], () => server().listProjections());
  const recovery = useWholeList(['recovery'], () => server().listRecovery());
  const people = useWholeList(['people', 'list'], () => server().listPeople({ limit: 500 }));
  return (
    <Page title="System" outside={{ path: '/recovery', command: ['recovery', 'list'] }}>
      <h2>Recovery</h2>
      <ListTable
        label="Recovery"
        list={recovery}
        columns={RECOVERY}
        keyOf={({ stream }) => stream}
        empty={<Empty title="Nothing is set aside: every run goes on by itself" />}
      />
      <h2>People</h2>
      <ListTable
        label="People"
        list={people}
        columns={PEOPLE}
        keyOf={({ personId }) => personId}
        empty={<Empty title="Nobody is registered" />}
      />
      <h2>Projections</h2>
      <ListTable
        label="Projections"
        list={projections}
        columns={PROJECTIONS}
        keyOf={({ name }) => name}
        empty={<Empty title="No projections" />}
      />
    </Page>
  );
}
