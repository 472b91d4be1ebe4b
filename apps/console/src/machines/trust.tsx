import { useQuery } from '@tanstack/react-query';
import type { CollapseMetrics, SpecialistAlignment, StateDecisionCounts } from '#lib/client';
import { wholeList } from '../data/pages.js';
import { server } from '../data/server.js';
import { percent, whole } from '../parts/format.js';
import { type Column, ListTable } from '../parts/list-table.js';
import { Empty, Loading, Problem } from '../parts/notice.js';
import { Simulation } from './simulation.js';
import { TrustOverTime } from './trust-over-time.js';

const STATES: { readonly [heading: string]: Column<StateDecisionCounts> } = {
  State: { cell: ({ state }) => state },
  Decisions: { right: true, cell: ({ totalDecisions }) => whole(totalDecisions) },
  'Who decided': { cell: (counts) => <Shares counts={counts} /> },
};

const ALIGNMENT: { readonly [heading: string]: Column<SpecialistAlignment> } = {
  Specialist: {
    cell: ({ specialistId, specialistVersion }) => `${specialistId} version ${specialistVersion}`,
  },
  State: { wide: true, cell: ({ state }) => state ?? 'every state' },
  'People agreed': {
    right: true,
    cell: ({ matchingChoices, totalComparisons }) =>
      `${whole(matchingChoices)} of ${whole(totalComparisons)}`,
  },
  Score: { right: true, cell: ({ alignmentScore }) => alignmentScore.toFixed(2) },
};

/** The deciders of each state, and how often people decided as a specialist had proposed. */
export function Trust({ machineName }: { readonly machineName: string }) {
  const { data, error } = useQuery({
    queryKey: ['machines', machineName, 'metrics'],
    queryFn: () => server().getCollapseMetrics({ machineName }),
  });
  if (error) return <Problem error={error} />;
  return data ? <Metrics metrics={data} /> : <Loading />;
}

function Metrics({ metrics }: { readonly metrics: CollapseMetrics }) {
  return (
    <>
      <ListTable
        label="Decisions by state"
        list={wholeList(metrics.states)}
        columns={STATES}
        keyOf={({ state }) => state}
        empty={<Empty title="No decisions yet" />}
      />
      <TrustOverTime machineName={metrics.machineName} />
      <Simulation machineName={metrics.machineName} />
      <h2>How often people agree</h2>
      <ListTable
        label="Alignment"
        list={wholeList(metrics.alignment)}
        columns={ALIGNMENT}
        keyOf={({ specialistId, specialistVersion, state }) =>
          `${specialistId} ${specialistVersion} ${state}`
        }
        empty={<Empty title="No proposal was compared with a person's decision yet" />}
      />
    </>
  );
}

const KINDS = [
  ['humanDecisions', 'people'],
  ['agreedDecisions', 'agreement'],
  ['aiDecisions', 'models and rules alone'],
] as const;

/** The shares as a bar and in words. */
function Shares({ counts }: { readonly counts: StateDecisionCounts }) {
  const { totalDecisions } = counts;
  const shares = KINDS.map(([member, words]) => ({
    words,
    share: counts[member] / Math.max(1, totalDecisions),
  }));
  const { operatorDecisions, timerDecisions = 0 } = counts;
  const besides = [
    ...(operatorDecisions > 0 ? [`${whole(operatorDecisions)} by operators`] : []),
    ...(timerDecisions > 0 ? [`${whole(timerDecisions)} by timers`] : []),
  ];
  return (
    <div className="shares">
      <span className="shares-bar" aria-hidden="true">
        {shares.map(({ words, share }) => (
          <span key={words} className={`share ${words.split(' ')[0]}`} style={{ flexGrow: share }} />
        ))}
      </span>
      <span className="dim">
        {shares
          .filter(({ share }) => share > 0)
          .map(({ words, share }) => `${words} ${percent(share)}`)
          .join(', ')}
        {besides.length > 0 && `${totalDecisions > 0 ? '; ' : ''}besides ${besides.join(', ')}`}
      </span>
    </div>
  );
}
