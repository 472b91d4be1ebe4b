import type { MetricFamily } from './prometheus-text.js';

interface Dashboard {
  readonly panels: readonly { readonly targets?: readonly { readonly expr: string }[] }[];
}

/** The queries of a Grafana dashboard. */
export function dashboardQueries(text: string): readonly string[] {
  const { panels } = JSON.parse(text) as Dashboard;
  return panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
}

/** Labels that Prometheus adds, and the bound of buckets. */
const ADDED = ['instance', 'le'];

/** The series and labels of a query that no family has. */
export function unknownNames(query: string, families: readonly MetricFamily[]): readonly string[] {
  const named = query.match(/\b(?:redial|process|nodejs)_\w+/g) ?? [];
  const found = families.filter(({ name }) =>
    named.some((one) => one.replace(/_(bucket|count|sum)$/, '') === name || one === name),
  );
  const series = found.flatMap(({ name, type }) =>
    type === 'histogram' ? [`${name}_bucket`, `${name}_count`, `${name}_sum`] : [name],
  );
  const known = [
    ...ADDED,
    ...found.flatMap(({ samples }) => samples.flatMap(({ labels }) => [...labels.keys()])),
  ];
  const labels = [
    ...[...query.matchAll(/\b(?:by|without) \(([^)]*)\)/g)].flatMap(([, list = '']) => list.split(/, */)),
    ...[...query.matchAll(/[{,](\w+)[!=]?[=~]"/g)].map(([, label = '']) => label),
  ];
  const unknown = [
    ...named.filter((one) => !series.includes(one)),
    ...labels.filter((one) => !known.includes(one)),
  ];
  return named.length === 0 ? [`no series in ${query}`] : unknown.map((one) => `${one} in ${query}`);
}
