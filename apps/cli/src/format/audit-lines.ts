import type { ModelSummary } from '#lib/projections';
import { oneLine } from './one-line.js';
import { table } from './table.js';

const columns = [
  { title: 'model' },
  { title: 'calls', align: 'right' },
  { title: 'failed', align: 'right' },
  { title: 'fallbacks', align: 'right' },
  { title: 'tokens in', align: 'right' },
  { title: 'tokens out', align: 'right' },
  { title: 'mean latency', align: 'right' },
] as const;

/** What each model did and cost. */
export function auditLines(models: readonly ModelSummary[]): readonly string[] {
  const rows = models.map((one) => [
    oneLine(one.model, 40),
    ...[one.calls, one.failedCalls, one.fallbacks, one.inputTokens, one.outputTokens].map(String),
    one.meanDurationMs === null ? '-' : `${Math.round(one.meanDurationMs)} ms`,
  ]);
  return table(columns, rows);
}
