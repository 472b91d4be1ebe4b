import type { ModelProvider } from '#lib/client';
import { useWholeList } from '../data/pages.js';
import { server } from '../data/server.js';
import { type Column, ListTable } from '../parts/list-table.js';
import { Empty } from '../parts/notice.js';
import { Badge } from '../parts/status.js';

const COLUMNS: { readonly [heading: string]: Column<ModelProvider> } = {
  Provider: {
    cell: (one) => (
      <>
        {one.provider}
        {one.default && one.provider !== 'default' && <span className="dim"> (default)</span>}
      </>
    ),
  },
  Address: { cell: ({ baseUrl }) => <span className="breaks">{baseUrl}</span> },
  Key: {
    cell: ({ hasKey }) => <Badge tone={hasKey ? 'good' : 'warn'}>{hasKey ? 'there' : 'missing'}</Badge>,
  },
};

/** The providers of models, and whether this process has a key for each. */
export function Providers() {
  const providers = useWholeList(['providers'], () => server().listProviders());
  return (
    <section aria-labelledby="providers">
      <h2 id="providers">Providers</h2>
      <ListTable
        label="Providers"
        list={providers}
        columns={COLUMNS}
        keyOf={({ provider }) => provider}
        empty={<Empty title="No provider is configured" />}
      />
    </section>
  );
}
