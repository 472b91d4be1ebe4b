import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import type { SimulateMachineInput, SimulatedItem, Simulation as SimulatedPage } from '#lib/client';
import { useAddress, useSetAddress } from '../app/address.js';
import { wholeList } from '../data/pages.js';
import { AS_ASKED } from '../data/query-client.js';
import { server } from '../data/server.js';
import { count, percent, whole } from '../parts/format.js';
import { type Column, ListTable } from '../parts/list-table.js';
import { Empty, Loading, Problem } from '../parts/notice.js';
import { Slider } from '../parts/slider.js';
import { Badge } from '../parts/status.js';
import { SessionLink } from '../parts/session-link.js';
import { useEffect, useState } from 'react';

const SETTLED_MS = 250;

/** The text once it has not changed for a moment: a moved slider asks the server once. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), SETTLED_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}

/** The most rounds of one call that every role may ask for. */
const ROUNDS = 500;

/** The thresholds by their names in the address. */
const THRESHOLDS = [
  ['consensusThreshold', 'Consensus threshold'],
  ['minAlignment', 'Alignment to be trusted'],
] as const;

/** A threshold as the address names it. Undefined if the text is none: an address can be typed. */
function thresholdOf(text = ''): number | undefined {
  const threshold = text.trim() === '' ? NaN : Number(text);
  return threshold >= 0 && threshold <= 1 ? threshold : undefined;
}

/** The outcomes of a round, in words, with the class that colours them. */
const OUTCOMES = [
  ['same', 'decided the same', 'quiet'],
  ['different', 'decided by another transition', 'bad'],
  ['toPeople', 'would go to people', 'warn'],
  ['fromPeople', 'would no longer go to people', 'good'],
] as const;

const CHANGED: { readonly [heading: string]: Column<SimulatedItem> } = {
  Session: {
    cell: ({ sessionId }) => <SessionLink sessionId={sessionId} />,
  },
  State: { wide: true, cell: ({ state }) => state },
  Outcome: { cell: ({ outcome }) => <Outcome outcome={outcome} /> },
  Recorded: { cell: ({ recorded }) => `${recorded.transitionName} by ${recorded.decidedBy}` },
  Simulated: {
    cell: ({ simulated: { transitionName, decidedBy, reason } }) =>
      transitionName === undefined ? `people: ${reason ?? ''}` : `${transitionName} by ${decidedBy ?? ''}`,
  },
};

/** Recorded rounds under other thresholds: how many would have needed people, and how many would have had the same decision. */
export function Simulation({ machineName }: { readonly machineName: string }) {
  const address = useAddress();
  const consensusThreshold = thresholdOf(address['consensusThreshold']);
  const minAlignment = thresholdOf(address['minAlignment']);
  const settings = useSettled(JSON.stringify({ consensusThreshold, minAlignment }));
  return (
    <section aria-labelledby="simulation">
      <h2 id="simulation">Other thresholds</h2>
      <p className="dim section-note">
        Recorded rounds are decided again under them, with the recorded proposals and the alignment as it was
        then. No model is asked, and no event is written.
      </p>
      <div className="thresholds">
        {THRESHOLDS.map(([name, label]) => (
          <Threshold key={name} name={name} label={label} />
        ))}
      </div>
      {settings !== '{}' && <Result machineName={machineName} settings={settings} />}
    </section>
  );
}

function Threshold({ name, label }: { readonly name: string; readonly label: string }) {
  const given = thresholdOf(useAddress()[name]);
  const set = useSetAddress();
  return (
    <Slider
      id={name}
      label={label}
      max={1}
      step={0.01}
      value={given ?? 0.5}
      words={given?.toFixed(2) ?? 'as defined'}
      onChange={(value) => set({ [name]: String(value) }, { replace: true })}
      back={given !== undefined ? { label: 'As defined', go: () => set({ [name]: undefined }) } : undefined}
    />
  );
}

/** The settings as the API takes them. */
function inputOf(settings: string): Omit<SimulateMachineInput, 'machineName'> {
  const { consensusThreshold, minAlignment } = JSON.parse(settings) as {
    readonly [name: string]: number | undefined;
  };
  return {
    ...(consensusThreshold !== undefined && { consensusThreshold }),
    ...(minAlignment !== undefined && { trust: { minAlignment } }),
  };
}

function Result({ machineName, settings }: { readonly machineName: string; readonly settings: string }) {
  const simulation = useInfiniteQuery({
    queryKey: ['machines', machineName, 'simulation', settings],
    queryFn: ({ pageParam: page }) =>
      server().simulateMachine({ machineName, ...inputOf(settings), limit: ROUNDS, ...page }),
    initialPageParam: {},
    getNextPageParam: ({ nextCursor }) => (nextCursor === null ? undefined : { cursor: nextCursor }),
    placeholderData: keepPreviousData,
    ...AS_ASKED,
  });
  const { data, error, isFetching, hasNextPage, fetchNextPage } = simulation;
  if (error) return <Problem error={error} />;
  if (!data) return <Loading />;
  const changed = data.pages.flatMap(({ items }) => items).filter(({ outcome }) => outcome !== 'same');
  return (
    <div className="simulated" aria-busy={isFetching || undefined}>
      <Counts pages={data.pages} />
      {hasNextPage && (
        <p className="section-note">
          The oldest rounds come first.{' '}
          <button
            type="button"
            className="quiet-button"
            disabled={isFetching}
            onClick={() => void fetchNextPage()}
          >
            Simulate {ROUNDS} more
          </button>
        </p>
      )}
      <ListTable
        label="Rounds that change"
        list={wholeList(changed)}
        columns={CHANGED}
        keyOf={({ roundId }) => roundId}
        empty={<Empty title="Every round is decided the same" />}
      />
    </div>
  );
}

function Counts({ pages }: { readonly pages: readonly SimulatedPage[] }) {
  const sum = (member: 'rounds' | (typeof OUTCOMES)[number][0]) =>
    pages.reduce((total, page) => total + page[member], 0);
  const rounds = sum('rounds');
  if (rounds === 0) return null;
  return (
    <div className="shares" role="status">
      <p>Of {count(rounds, 'round')}:</p>
      <span className="shares-bar tall" aria-hidden="true">
        {OUTCOMES.map(([outcome, , tone]) => (
          <span key={outcome} className={`outcome ${tone}`} style={{ flexGrow: sum(outcome) }} />
        ))}
      </span>
      <ul className="legend">
        {OUTCOMES.map(([outcome, words, tone]) => (
          <li key={outcome}>
            <span aria-hidden="true" className={`swatch outcome ${tone}`} /> {whole(sum(outcome))}{' '}
            <span className="dim">
              {words} ({percent(sum(outcome) / rounds)})
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}

function Outcome({ outcome }: Pick<SimulatedItem, 'outcome'>) {
  const [, words, tone] = OUTCOMES.find(([name]) => name === outcome) ?? OUTCOMES[0];
  return <Badge tone={tone}>{words.replace('would ', '')}</Badge>;
}
