import { Link } from '@tanstack/react-router';
import type { ListedLlmCall } from '#lib/client';
import type { PagedList } from '../data/pages.js';
import { dollars, duration, shortId, whole } from '../parts/format.js';
import { type Column, ListTable } from '../parts/list-table.js';
import { Empty } from '../parts/notice.js';
import { Status } from '../parts/status.js';
import { Ago } from '../parts/time.js';

const COLUMNS: { readonly [heading: string]: Column<ListedLlmCall> } = {
  Call: {
    cell: ({ callId }) => (
      <Link to="/calls/$id" params={{ id: callId }} className="id">
        {shortId(callId)}
      </Link>
    ),
  },
  Outcome: { cell: ({ outcome }) => <Status status={outcome} /> },
  Model: { cell: ({ model }) => <span className="cut">{model}</span> },
  'Asked for': { wide: true, cell: (call) => <span className="cut">{purposeOf(call)}</span> },
  Attempt: { wide: true, right: true, cell: ({ attempt }) => attempt },
  Tokens: { wide: true, right: true, cell: ({ tokens }) => tokensOf(tokens) },
  Cost: { wide: true, right: true, cell: ({ costUSD }) => dollars(costUSD) },
  Took: {
    wide: true,
    right: true,
    cell: ({ durationMs }) => (durationMs === null ? '–' : duration(durationMs)),
  },
  Asked: { wide: true, right: true, cell: ({ requestedAt }) => <Ago time={requestedAt} /> },
};

/** Calls of models, wherever they are listed. */
export function CallsTable({ list }: { readonly list: PagedList<ListedLlmCall> }) {
  return (
    <ListTable
      label="Calls"
      list={list}
      columns={COLUMNS}
      keyOf={({ callId, runId }) => `${runId} ${callId}`}
      linkOf={({ callId }) => `/calls/${callId}`}
      empty={<Empty title="No model was called" />}
    />
  );
}

/** The tokens in and out. */
function tokensOf({ inputUncached, cacheRead, cacheWrite, output }: ListedLlmCall['tokens']): string {
  return `${whole(inputUncached + cacheRead + cacheWrite)} + ${whole(output)}`;
}

function purposeOf({ specialistId, workflow, rung, round }: ListedLlmCall): string {
  const step = rung === undefined ? round !== undefined && `round ${round}` : `${rung} rung`;
  return [specialistId ?? workflow, step].filter(Boolean).join(', ');
}
