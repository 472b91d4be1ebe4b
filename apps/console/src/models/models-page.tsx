import { Link } from '@tanstack/react-router';
import type { ModelSummary } from '#lib/client';
import { useWholeList } from '../data/pages.js';
import { server } from '../data/server.js';
import { duration, percent, whole } from '../parts/format.js';
import { type Column, ListTable } from '../parts/list-table.js';
import { Empty } from '../parts/notice.js';
import { Page } from '../parts/page.js';
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

export function ModelsPage() {
  const models = useWholeList(['models'], () => server().getModelStatistics());
  return (
    <Page title="Models" outside={{ path: '/models', command: ['models'] }}>
      <ListTable
        label="Models"
        list={models}
        columns={MODELS}
        keyOf={({ provider, model }) => `${provider}/${model}`}
        empty={<Empty title="No model was called yet" />}
      />
    </Page>
  );
}
