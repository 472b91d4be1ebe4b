import { Link } from '@tanstack/react-router';
import type { ModelProvider, ModelSummary } from '#lib/client';
import { useWholeList } from '../data/pages.js';
import { server } from '../data/server.js';
import { duration, percent, whole } from '../parts/format.js';
import { type Column, ListTable } from '../parts/list-table.js';
import { Empty } from '../parts/notice.js';
import { Page } from '../parts/page.js';
import { Badge } from '../parts/status.js';
import { costText } from '../overview/totals.js';

const MODELS: { readonly [heading: string]: Column<ModelSummary> } = {
  Model: {
    cell: ({ provider, model }) => (
      <Link to="/calls" search={{ model }}>
        {provider}/{model}
      </Link>
    ),
  },
  Calls: { right: true, cell: ({ calls }) => whole(calls) },
  Failed: { right: true, cell: ({ failedCalls }) => whole(failedCalls) },
  'Called a tool': { wide: true, right: true, cell: ({ toolCallRate }) => percent(toolCallRate) },
  Fallbacks: { wide: true, right: true, cell: ({ fallbacks }) => whole(fallbacks) },
  'Tokens in + out': {
    wide: true,
    right: true,
    cell: ({ inputTokens, outputTokens }) => `${whole(inputTokens)} + ${whole(outputTokens)}`,
  },
  'Mean time': {
    wide: true,
    right: true,
    cell: ({ meanDurationMs }) => (meanDurationMs === null ? '–' : duration(meanDurationMs)),
  },
  Cost: { right: true, cell: ({ costs }) => costText(costs) },
};

const PROVIDERS: { readonly [heading: string]: Column<ModelProvider> } = {
  Provider: { cell: ({ provider }) => provider },
  Address: { cell: ({ baseUrl }) => <span className="cut">{baseUrl}</span> },
  Key: {
    cell: ({ hasKey }) => <Badge tone={hasKey ? 'good' : 'warn'}>{hasKey ? 'there' : 'missing'}</Badge>,
  },
};

export function ModelsPage() {
  const models = useWholeList(['models'], () => server().getModelStatistics());
  const providers = useWholeList(['providers'], () => server().listProviders());
  return (
    <Page title="Models" outside={{ path: '/models', command: ['models'] }}>
      <ListTable
        label="Models"
        list={models}
        columns={MODELS}
        keyOf={({ provider, model }) => `${provider}/${model}`}
        empty={<Empty title="No model was called yet" />}
      />
      <h2>Providers</h2>
      <ListTable
        label="Providers"
        list={providers}
        columns={PROVIDERS}
        keyOf={({ provider }) => provider}
        empty={<Empty title="No provider is configured" />}
      />
    </Page>
  );
}
