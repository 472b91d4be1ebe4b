import type { Experiment } from '#lib/client';
import { wholeList } from '../data/pages.js';
import { dollars, duration, percent, whole } from '../parts/format.js';
import { type Column, ListTable } from '../parts/list-table.js';
import { Empty } from '../parts/notice.js';
import { Badge } from '../parts/status.js';

type Variant = Experiment['report']['variants'][number];
type Pair = Experiment['report']['pairs'][number];
/** The schema of the API does not name the members of these. */
type Failures = { readonly [kind: string]: number };
type ByState = { readonly [state: string]: Pick<Variant, 'people' | 'flips' | 'negativeFlips'> };

const VARIANTS: { readonly [heading: string]: Column<Variant> } = {
  Variant: { cell: ({ name }) => name },
  Answered: {
    wide: true,
    right: true,
    cell: ({ n, failures }) => {
      const failed = Object.values(failures as Failures).reduce((sum, one) => sum + one, 0);
      return failed > 0 ? `${whole(n)}, ${whole(failed)} failed` : whole(n);
    },
  },
  'Agrees with people': {
    wide: true,
    cell: ({ people }) => <Share {...people} amount={people.matches} none="no person decided them" />,
  },
  Flips: { cell: ({ flips }) => <Share {...flips} amount={flips.flips} none="none compared" /> },
  'Negative flips': { wide: true, right: true, cell: ({ negativeFlips }) => whole(negativeFlips) },
  'Agrees with itself': { wide: true, right: true, cell: ({ selfAgreement }) => percent(selfAgreement) },
  Cost: { wide: true, right: true, cell: ({ costUSD }) => dollars(costUSD ?? undefined) },
  'Median time': {
    wide: true,
    right: true,
    cell: ({ latencyMsec: { p50 } }) => (p50 === null ? '–' : duration(p50)),
  },
};

const VERDICTS = {
  same: ['decides the same', 'good'],
  different: ['decides otherwise', 'bad'],
  'not-enough': ['not enough points', 'warn'],
} as const;

const PAIRS: { readonly [heading: string]: Column<Pair> } = {
  Variant: { cell: ({ b }) => b },
  'Compared with': { wide: true, cell: ({ a }) => (a === 'recorded' ? 'the recorded decisions' : a) },
  Verdict: {
    cell: ({ verdict, needed }) => {
      const [words, tone] = VERDICTS[verdict];
      const more = needed === undefined ? '' : `; ${whole(needed)} would be enough`;
      return (
        <>
          <Badge tone={tone}>{words}</Badge>
          {verdict === 'not-enough' && more}
        </>
      );
    },
  },
  Points: { wide: true, right: true, cell: ({ n }) => whole(n) },
  'Right alone': {
    wide: true,
    right: true,
    cell: ({ onlyA, onlyB }) => `${whole(onlyA)} before, ${whole(onlyB)} now`,
  },
  p: { wide: true, right: true, cell: ({ p }) => p.toFixed(3) },
};

/** The statistics of an experiment, as far as it has answers. */
export function Report({ experiment }: { readonly experiment: Experiment }) {
  const { report, margin } = experiment;
  return (
    <>
      <ListTable
        label="Verdicts"
        list={wholeList(report.pairs)}
        columns={PAIRS}
        keyOf={({ a, b }) => `${a} ${b}`}
        empty={<Empty title="No variant was answered yet" />}
      />
      <p className="dim section-note">
        A variant decides the same if with 95 % confidence at most {percent(margin)} of the decisions flip.
      </p>
      <h2>Variants</h2>
      <ListTable
        label="Variants"
        list={wholeList(report.variants)}
        columns={VARIANTS}
        keyOf={({ name }) => name}
        empty={<Empty title="No variants" />}
      />
      <p className="dim section-note">
        Behind each share is its interval at 95 %. A negative flip departs from a person with whom the
        baseline agreed.
      </p>
      <States variants={report.variants} />
    </>
  );
}

interface ShareProps {
  readonly amount: number;
  readonly n: number;
  readonly share: number;
  readonly low: number;
  readonly high: number;
  /** The words if no answer is counted. */
  readonly none: string;
}

/** A share as a bar over its interval, and in numbers. */
function Share({ amount, n, share, low, high, none }: ShareProps) {
  if (n === 0) return <span className="dim">{none}</span>;
  const at = (value: number) => `${value * 100}%`;
  return (
    <div className="shares">
      <span className="interval" aria-hidden="true">
        <span className="interval-range" style={{ left: at(low), width: at(high - low) }} />
        <span className="interval-value" style={{ left: at(share) }} />
      </span>
      <span className="dim">
        {whole(amount)} of {whole(n)}, {percent(share)}{' '}
        <span className="unbroken">
          ({percent(low)} to {percent(high)})
        </span>
      </span>
    </div>
  );
}

type StateRow = ByState[string] & {
  readonly state: string;
  readonly variant: string;
};

const STATES: { readonly [heading: string]: Column<StateRow> } = {
  State: { cell: ({ state }) => state },
  Variant: { cell: ({ variant }) => variant },
  'Agrees with people': {
    right: true,
    cell: ({ people }) => `${whole(people.matches)} of ${whole(people.n)}`,
  },
  Flips: { right: true, cell: ({ flips }) => `${whole(flips.flips)} of ${whole(flips.n)}` },
  Negative: { right: true, cell: ({ negativeFlips }) => whole(negativeFlips) },
};

function States({ variants }: { readonly variants: readonly Variant[] }) {
  const rows = variants.flatMap(({ name: variant, byState }) =>
    Object.entries(byState as ByState).map(([state, report]) => ({ state, variant, ...report })),
  );
  if (new Set(rows.map(({ state }) => state)).size < 2) return null;
  return (
    <>
      <h2>By state</h2>
      <ListTable
        label="By state"
        list={wholeList(rows.toSorted((one, other) => (one.state < other.state ? -1 : 1)))}
        columns={STATES}
        keyOf={({ state, variant }) => `${state} ${variant}`}
        empty={null}
      />
    </>
  );
}
