import { Link } from '@tanstack/react-router';
import { useQuery } from '@tanstack/react-query';
import type { Machine } from '#lib/client';
import { server } from '../data/server.js';
import { whole } from '../parts/format.js';
import { type Column, ListTable, wholeList } from '../parts/list-table.js';
import { Empty } from '../parts/notice.js';
import { Page } from '../parts/page.js';

const COLUMNS: { readonly [heading: string]: Column<Machine> } = {
  Machine: {
    cell: ({ machineName }) => (
      <Link to="/machines/$id" params={{ id: machineName }}>
        {machineName}
      </Link>
    ),
  },
  Version: { right: true, cell: ({ version }) => version },
  States: { right: true, cell: ({ definition }) => whole(Object.keys(definition.states).length) },
  Begins: { wide: true, cell: ({ definition }) => definition.initialState },
  Goal: { wide: true, cell: ({ definition }) => definition.goalState ?? definition.defaultState ?? '–' },
};

export function MachinesPage() {
  const machines = useQuery({
    queryKey: ['machines'],
    queryFn: async () => (await server().listMachines({ limit: 500 })).items,
  });
  return (
    <Page title="Machines" path="/machines" command={['machines', 'list']}>
      <ListTable
        label="Machines"
        list={wholeList(machines)}
        columns={COLUMNS}
        keyOf={({ machineName }) => machineName}
        linkOf={({ machineName }) => `/machines/${machineName}`}
        empty={<Empty title="No machines yet" />}
      />
    </Page>
  );
}
