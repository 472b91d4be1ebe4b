import { type PriceInForce, tokenCost } from '#lib/call-rules';
import { textFromStored } from '#lib/read-models';
import { DURATION_BUCKETS_MS, NOT_MEASURED } from './duration-buckets.js';
import type { CallMeterRow } from './meters.tables.js';

/** The calls of one model at one provider, over the whole log. */
export interface CallMeter {
  readonly provider: string;
  readonly model: string;
  /** Requested calls without an outcome. */
  readonly open: number;
  /** Ended calls, by `completed` or the kind of their failure. */
  readonly outcomes: { readonly [outcome: string]: number };
  /** Ended calls that were not the first attempt. */
  readonly retries: number;
  readonly tokens: {
    readonly input_uncached: number;
    readonly cache_read: number;
    readonly cache_write: number;
    readonly output: number;
  };
  /** Part of the output. */
  readonly reasoningTokens: number;
  /** The cost of the calls with a price. */
  readonly costUSD: number;
  /** The calls whose duration was measured. */
  readonly duration: {
    readonly sumMs: number;
    readonly count: number;
    /** The numbers of calls up to each of `DURATION_BUCKETS_MS`. */
    readonly upTo: readonly number[];
  };
}

/** The most models with a separate series: callers choose the names of models, so the number is bounded. */
export const MOST_MODELS = 100;

const OTHER = 'other';

type Row = CallMeterRow;
type OpenCalls = Pick<Row, 'provider' | 'model'> & { readonly calls: string | number | bigint };
type Group = Pick<CallMeter, 'provider' | 'model'> & { readonly rows: Row[]; open: number };

/**
 * One meter for each provider and model, in the order of `rows`. From the 101st on, all are summed in one: `other` at `other`.
 * @param rows by number, so that a series keeps its name after new ones
 */
export function metersOfCalls(rows: readonly Row[], open: readonly OpenCalls[]): readonly CallMeter[] {
  const groups = new Map<string, Group>();
  for (const row of rows) groupOf(groups, row).rows.push(row);
  for (const one of open) groupOf(groups, one).open += Number(one.calls);
  const all = [...groups.values()];
  const others = all.slice(MOST_MODELS);
  const other = {
    provider: OTHER,
    model: OTHER,
    rows: others.flatMap((one) => one.rows),
    open: sum(others, (one) => one.open),
  };
  return [...all.slice(0, MOST_MODELS), ...(others.length > 0 ? [other] : [])].map(meterOf);
}

function groupOf(groups: Map<string, Group>, { provider, model }: Pick<Row, 'provider' | 'model'>): Group {
  const key = JSON.stringify([provider, model]);
  const group = groups.get(key) ?? {
    provider: textFromStored(provider),
    model: textFromStored(model),
    rows: [],
    open: 0,
  };
  groups.set(key, group);
  return group;
}

function meterOf({ provider, model, open, rows }: Group): CallMeter {
  const timed = rows.filter((row) => row.bucket_ms !== NOT_MEASURED);
  return {
    provider,
    model,
    open,
    outcomes: outcomesOf(rows),
    retries: sum(rows, (row) => row.retries),
    tokens: {
      input_uncached: sum(rows, (row) => row.input_uncached),
      cache_read: sum(rows, (row) => row.cache_read),
      cache_write: sum(rows, (row) => row.cache_write),
      output: sum(rows, (row) => row.output),
    },
    reasoningTokens: sum(rows, (row) => row.reasoning),
    costUSD: sum(rows, costOf),
    duration: {
      sumMs: sum(timed, (row) => row.duration_ms),
      count: sum(timed, (row) => row.calls),
      upTo: DURATION_BUCKETS_MS.map((bound) =>
        sum(
          timed.filter(({ bucket_ms }) => bucket_ms <= bound),
          (row) => row.calls,
        ),
      ),
    },
  };
}

function outcomesOf(rows: readonly Row[]): CallMeter['outcomes'] {
  const outcomes: Record<string, number> = {};
  for (const { outcome, calls } of rows) outcomes[outcome] = (outcomes[outcome] ?? 0) + calls;
  return outcomes;
}

/** A cost is linear in tokens: the cost of summed tokens of one price is the sum of the costs. */
function costOf({ price, input_uncached, cache_read, cache_write, output, reasoning }: Row): number {
  if (price === '') return 0;
  const buckets = {
    inputUncached: input_uncached,
    cacheRead: cache_read,
    cacheWrite: cache_write,
    output,
    reasoning,
  };
  return tokenCost(JSON.parse(price) as PriceInForce, buckets);
}

function sum<T>(items: readonly T[], valueOf: (item: T) => number): number {
  return items.reduce((total, item) => total + valueOf(item), 0);
}
