import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { server } from '../data/server.js';
import { count, percent, whole } from '../parts/format.js';
import { Problem } from '../parts/notice.js';
import { overTime, type Period } from './over-time.js';

/** The makers of decisions, in words, with the class that colours them. */
const MAKERS = [
  ['people', 'people'],
  ['agreement', 'agreement'],
  ['models', 'models and rules alone'],
] as const;

/** How often people are needed over time: for each state the decisions of each day, or of longer periods. */
export function TrustOverTime({ machineName }: { readonly machineName: string }) {
  const { data, error } = useQuery({
    queryKey: ['machines', machineName, 'decision-days'],
    queryFn: () => server().getDecisionDays({ machineName }),
  });
  const { days, states } = useMemo(() => overTime(data?.items ?? []), [data]);
  if (error) return <Problem error={error} />;
  if (states.length === 0) return null;
  return (
    <section aria-labelledby="over-time">
      <h2 id="over-time">Over time</h2>
      <p className="legend dim">
        {MAKERS.map(([maker, words]) => (
          <span key={maker}>
            <span aria-hidden="true" className={`swatch share ${maker}`} /> {words}
          </span>
        ))}
        <span>a column is {count(days, 'day')}, in UTC</span>
      </p>
      <div className="charts">
        {states.map(({ state, periods }) => (
          <Chart key={state} state={state} periods={periods} />
        ))}
      </div>
    </section>
  );
}

interface ChartProps {
  readonly state: string;
  readonly periods: readonly Period[];
}

function Chart({ state, periods }: ChartProps) {
  const most = Math.max(...periods.map(totalOf));
  return (
    <figure className="chart">
      <figcaption>
        {state} <span className="dim">at most {whole(most)} in a column</span>
      </figcaption>
      <div className="columns" aria-hidden="true">
        {periods.map((period) => (
          <span key={period.from} className="column" title={`${period.from}: ${wordsOf(period)}`}>
            {MAKERS.map(([maker]) => (
              <span
                key={maker}
                className={`share ${maker}`}
                style={{ height: `${(100 * period[maker]) / most}%` }}
              />
            ))}
          </span>
        ))}
      </div>
      <p className="chart-ends dim number" aria-hidden="true">
        <span>{periods[0]?.from}</span>
        <span>{periods.length > 1 && periods.at(-1)?.from}</span>
      </p>
      <details className="about">
        <summary>Numbers of {state}</summary>
        <Numbers state={state} periods={periods} />
      </details>
    </figure>
  );
}

/** The newest first; those without a decision are left out. */
function Numbers({ state, periods }: ChartProps) {
  return (
    <table className="list" aria-label={`Decisions in ${state} over time`}>
      <thead>
        <tr>
          <th scope="col">From</th>
          {MAKERS.map(([maker, words]) => (
            <th key={maker} scope="col" className="right">
              {words}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {periods
          .filter((period) => totalOf(period) > 0)
          .toReversed()
          .map((period) => (
            <tr key={period.from}>
              <td className="number">{period.from}</td>
              {MAKERS.map(([maker]) => (
                <td key={maker} className="right number">
                  {whole(period[maker])}{' '}
                  <span className="dim">({percent(period[maker] / totalOf(period))})</span>
                </td>
              ))}
            </tr>
          ))}
      </tbody>
    </table>
  );
}

function totalOf({ people, agreement, models }: Period): number {
  return people + agreement + models;
}

function wordsOf(period: Period): string {
  const made = MAKERS.filter(([maker]) => period[maker] > 0);
  return made.length === 0 ? 'none' : made.map(([maker, words]) => `${period[maker]} by ${words}`).join(', ');
}
