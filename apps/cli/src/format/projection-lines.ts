import type { ProjectionStatus } from '#lib/projections';
import { oneLine } from './one-line.js';
import { table } from './table.js';

const columns = [
  { title: 'projection' },
  { title: 'version', align: 'right' },
  { title: 'status' },
  { title: 'lag', align: 'right' },
  { title: 'error' },
] as const;

/** How far each projection is. */
export function projectionLines(statuses: readonly ProjectionStatus[]): readonly string[] {
  const rows = statuses.map(({ name, version, status, lag, error }) => [
    name,
    String(version),
    status,
    lag === null ? '?' : String(lag),
    oneLine(error?.message ?? '', 120),
  ]);
  return table(columns, rows);
}
