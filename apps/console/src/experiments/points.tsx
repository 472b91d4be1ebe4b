import type { Experiment, ExperimentItem, ListExperimentItemsInput } from '#lib/client';
import { Link } from '@tanstack/react-router';
import { useAddress } from '../app/address.js';
import { usePages } from '../data/pages.js';
import { server } from '../data/server.js';
import { Filters, SelectFilter } from '../parts/filters.js';
import { decider } from '../parts/format.js';
import { type Column, ListTable } from '../parts/list-table.js';
import { Empty } from '../parts/notice.js';
import { Badge } from '../parts/status.js';
import { SessionLink } from '../parts/session-link.js';
import { useQuery } from '@tanstack/react-query';
import { AS_ASKED } from '../data/query-client.js';

import { subjectOf } from '../sessions/subject.js';

/** How the answer of a variant differs, in words, with the class that colours it. */
const FLIPS = {
  none: ['the same', 'quiet'],
  negative: ['otherwise than the person', 'bad'],
  positive: ['as the person, the baseline not', 'good'],
  neutral: ['otherwise', 'warn'],
} as const;

const WORDS = Object.fromEntries(Object.entries(FLIPS).map(([flip, [words]]) => [flip, words]));

const COLUMNS: { readonly [heading: string]: Column<ExperimentItem> } = {
  Session: {
    cell: ({ sessionId }) => (
      <>
        <SessionLink sessionId={sessionId} />
        <AboutSession sessionId={sessionId} />
      </>
    ),
  },
  State: { wide: true, cell: ({ state }) => state },
  Recorded: {
    cell: ({ recorded: { transitionName, decidedBy, isHuman } }) => (
      <>
        {transitionName} <span className="wide">by {decider(decidedBy, isHuman)}</span>
      </>
    ),
  },
  Answers: { cell: ({ answers }) => <Answers answers={answers} /> },
  Compared: { wide: true, cell: ({ flip }) => flip && <Badge tone={FLIPS[flip][1]}>{FLIPS[flip][0]}</Badge> },
};

/** The points of an experiment, with the answers about each. */
export function Points({ experiment }: { readonly experiment: Experiment }) {
  const { experimentId, variants } = experiment;
  const { flip, variant } = useAddress();
  const filter = { flip, variant };
  const list = usePages(['experiments', experimentId, 'items', filter], (page) =>
    server().listExperimentItems({
      ...(filter as Omit<ListExperimentItemsInput, 'experimentId'>),
      experimentId,
      ...page,
    }),
  );
  return (
    <>
      <Filters>
        {variants.length > 1 && (
          <SelectFilter
            name="variant"
            label="Variant"
            options={variants.map(({ name }) => name)}
            anyWords="the first"
          />
        )}
        <SelectFilter name="flip" label="Compared" options={Object.keys(FLIPS)} words={WORDS} />
      </Filters>
      <ListTable
        label="Points"
        list={list}
        columns={COLUMNS}
        keyOf={({ sessionId, roundId }) => `${sessionId} ${roundId}`}
        linkOf={({ sessionId }) => `/sessions/${sessionId}`}
        empty={<Empty title={flip ? 'No point fits this filter' : 'No decided round fits'} />}
      />
    </>
  );
}

/** Each answer by its variant; a link to the call of a model. */
function Answers({ answers }: Pick<ExperimentItem, 'answers'>) {
  if (answers.length === 0) return <span className="dim">not asked yet</span>;
  return (
    <ul className="plain-list">
      {answers.map(({ variant, sample, transitionName, failure, callIds }) => (
        <li key={`${variant} ${sample}`}>
          <span className="dim">{variant}:</span>{' '}
          <Choice
            words={transitionName ?? (failure ? `failed (${failure.kind})` : 'no answer')}
            callId={callIds.at(-1)}
          />
        </li>
      ))}
    </ul>
  );
}

function Choice({ words, callId }: { readonly words: string; readonly callId: string | undefined }) {
  if (callId === undefined) return words;
  return (
    <Link to="/calls/$id" params={{ id: callId }}>
      {words}
    </Link>
  );
}

/** The case of a session, for rows that have its id alone: rows near the window read it. */
function AboutSession({ sessionId }: { readonly sessionId: string }) {
  const { data } = useQuery({
    queryKey: ['sessions', sessionId, 'about'],
    queryFn: () => server().getSession({ sessionId, history: 'none' }),
    ...AS_ASKED,
  });
  return <span className="cut-two dim">{subjectOf(data?.metaJson)}</span>;
}
