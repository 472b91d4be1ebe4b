import { DEFAULT_PROVIDER } from '#lib/calls';
import type { ModelSummary } from '#lib/monitoring';
import { oneLine } from './one-line.js';
import { percent } from './percent.js';
import { table } from './table.js';

const columns = [
  { title: 'model' },
  { title: 'calls', align: 'right' },
  { title: 'failed', align: 'right' },
  { title: 'tool calls', align: 'right' },
  { title: 'depth', align: 'right' },
  { title: 'deepest', align: 'right' },
  { title: 'malformed', align: 'right' },
  { title: 'invalid', align: 'right' },
  { title: 'tokens in', align: 'right' },
  { title: 'out', align: 'right' },
  { title: 'p50 ms', align: 'right' },
  { title: 'p95', align: 'right' },
  { title: 'p99', align: 'right' },
  { title: 'cost' },
] as const;

/** The calls and costs of each model, one a line; `depth` is the mean number of steps that solicitations went down the ladder. */
export function modelLines(models: readonly ModelSummary[]): readonly string[] {
  if (models.length === 0) return ['no model was called'];
  const rows = models.map((one) => [name(one), ...quality(one), ...latency(one), cost(one)]);
  return table(columns, rows);
}

function name({ provider, model, day }: ModelSummary): string {
  const named = provider === DEFAULT_PROVIDER ? model : `${provider}/${model}`;
  return [...(day === undefined ? [] : [day]), oneLine(named, 40)].join(' ');
}

function quality(one: ModelSummary): readonly string[] {
  return [
    String(one.calls),
    String(one.failedCalls),
    one.toolCallRate === null ? '-' : percent(one.toolCallRate),
    one.meanFallbackDepth.toFixed(2),
    ...[
      one.maxFallbackDepth,
      one.malformedArguments,
      one.invalidArguments,
      one.inputTokens,
      one.outputTokens,
    ].map(String),
  ];
}

function latency({ latencyMs }: ModelSummary): readonly string[] {
  if (!latencyMs) return ['-', '-', '-'];
  return [latencyMs.p50, latencyMs.p95, latencyMs.p99].map((ms) => String(Math.round(ms)));
}

function cost({ costs, unpricedCalls }: ModelSummary): string {
  const amounts = costs.map(({ amount, currency }) => `${amount.toFixed(6)} ${currency}`);
  const unpriced = unpricedCalls === 0 ? [] : [`${unpricedCalls} without a price`];
  return [...amounts, ...unpriced].join(', ');
}
