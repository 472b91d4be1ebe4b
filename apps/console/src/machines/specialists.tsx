import type { Specialist } from '#lib/client';
import { useWholeList } from '../data/pages.js';
import { server } from '../data/server.js';
import { type Column, ListTable } from '../parts/list-table.js';
import { Empty } from '../parts/notice.js';
import { Badge } from '../parts/status.js';

const COLUMNS: { readonly [heading: string]: Column<Specialist> } = {
  Specialist: { cell: ({ specialistId }) => specialistId },
  Role: { cell: ({ role }) => role },
  'Decides by': { cell: (specialist) => <span className="cut">{modeOf(specialist)}</span> },
  Version: { wide: true, right: true, cell: ({ version }) => version },
  Enabled: {
    wide: true,
    cell: ({ enabled }) => (
      <Badge tone={enabled ? 'good' : 'quiet'}>{enabled ? 'enabled' : 'disabled'}</Badge>
    ),
  },
};

export function Specialists({ machineName }: { readonly machineName: string }) {
  const specialists = useWholeList(['machines', machineName, 'specialists'], () =>
    server().listSpecialists({ machineName, limit: 500 }),
  );
  return (
    <ListTable
      label="Specialists"
      list={specialists}
      columns={COLUMNS}
      keyOf={({ specialistId }) => specialistId}
      empty={<Empty title="This machine has no specialists" />}
    />
  );
}

function modeOf(specialist: Specialist): string {
  const { isHuman, personId, modelId, workflow, strategyFnName, strategyWebhookUrl } = specialist;
  if (isHuman) return `a person${personId === undefined ? '' : `, ${personId}`}`;
  return modelId ?? workflow?.name ?? strategyFnName ?? strategyWebhookUrl ?? 'consensus';
}
