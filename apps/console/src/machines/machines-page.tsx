import { Link } from '@tanstack/react-router';
import type { Machine } from '#lib/client';
import { useWholeList } from '../data/pages.js';
import { server } from '../data/server.js';
import { whole } from '../parts/format.js';
import { type Column, ListTable } from '../parts/list-table.js';
import { Name } from '../parts/name.js';
import { Empty } from '../parts/notice.js';
import { Page } from '../parts/page.js';

const COLUMNS: { readonly [heading: string]: Column<Machine> } = {
  Machine: {
    cell: ({ machineName }) => (
      <Link to="/machines/$id" params={{ id: machineName }}>
        <Name text={machineName} />
      </Link>
    ),
  },
  Version: { right: true, cell: ({ version }) => version },
  States: { right: true, cell: ({ definition }) => whole(Object.keys(definition.states).length) },
  Begins: { wide: true, cell: ({ definition }) => <Name text={definition.initialState} /> },
  Goal: {
    wide: true,
    cell: ({ definition }) => <Name text={definition.goalState ?? definition.defaultState ?? '–'} />,
  },
};

export function MachinesPage() {
  const machines = useWholeList(['machines'], () => server().listMachines({ limit: 500 }));
  return (
    <Page title="Machines" outside={{ path: '/machines', command: ['machines', 'list'] }}>
      <ListTable
        label="Machines"
        list={machines}
        columns={COLUMNS}
        keyOf={({ machineName }) => machineName}
        linkOf={({ machineName }) => `/machines/${machineName}`}
        empty={<Empty title="No machines yet" />}
      />
    </Page>
  );
}
