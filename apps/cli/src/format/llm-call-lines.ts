import type { LlmCallRecord } from '#lib/projections';
import { oneLine } from './one-line.js';
import { table } from './table.js';

const columns = [
  { title: 'asked by' },
  { title: 'rung' },
  { title: 'model' },
  { title: 'status', align: 'right' },
  { title: 'outcome' },
  { title: 'tokens in', align: 'right' },
  { title: 'out', align: 'right' },
  { title: 'ms', align: 'right' },
  { title: 'error' },
  { title: 'call' },
] as const;

/** Calls to models, one a line. */
export function llmCallLines(calls: readonly LlmCallRecord[]): readonly string[] {
  if (calls.length === 0) return ['No calls.'];
  const rows = calls.map(
    ({
      callId,
      specialistId,
      workflow,
      rung,
      round,
      model,
      responseStatus,
      outcome,
      usage,
      durationMs,
      error,
    }) => [
      specialistId ?? workflow,
      rung ?? (round === undefined ? '' : `round ${round}`),
      oneLine(model, 40),
      String(responseStatus ?? '-'),
      outcome,
      String(usage?.prompt_tokens ?? '-'),
      String(usage?.completion_tokens ?? '-'),
      durationMs === null ? '-' : String(Math.round(durationMs)),
      oneLine(error ?? '', 60),
      callId,
    ],
  );
  return table(columns, rows);
}
