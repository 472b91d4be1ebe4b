import { inputTokens, type TokenBuckets } from '#lib/calls';
import { summedBuckets } from '../llm-calls/call-usage.js';
import type { Rows } from '../store/rows.js';
import { rounded, textFromStored, timeFromStored } from '../store/stored-values.js';
import { callLatencies, type LatencyPercentiles } from './call-latencies.js';
import { type Amount, type GroupCosts, groupCosts } from './group-costs.js';
import type { PriceTable } from './price-table.js';
import { type CallGrouping, groupText, GROUP, totalsOf } from './statistics-calls.js';
import { sql } from 'kysely';
import { SUMMED } from '../llm-calls/llm-calls.tables.js';

/** The query over calls to models. */
export interface LlmStatisticsQuestion extends CallGrouping {
  /** Default: none, and no call has a price. */
  readonly prices?: PriceTable;
  /** Prices every call by this version; default: each by the one in force when it was requested. */
  readonly priceVersion?: string;
}

/** The calls and costs of one model of a provider, in all or on one day. */
export interface ModelSummary {
  readonly provider: string;
  /** Its name at the provider. */
  readonly model: string;
  /** UTC, for example `2026-01-31`; absent where all days are taken together. */
  readonly day?: string;
  readonly calls: number;
  readonly failedCalls: number;
  /** Share of the answered calls with tools on offer in which one was called; null where there was none. */
  readonly toolCallRate: number | null;
  readonly solicitations: number;
  /** Steps down the ladder in those solicitations. */
  readonly fallbacks: number;
  /** Such steps in a solicitation. */
  readonly meanFallbackDepth: number;
  readonly maxFallbackDepth: number;
  /** Tool calls whose arguments are no JSON object. */
  readonly malformedArguments: number;
  /** Tool calls whose arguments do not fit the transition's parameters, with any result. */
  readonly invalidArguments: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** The same, each in one bucket. */
  readonly tokens: TokenBuckets;
  /** Mean of the calls that have an outcome; null while none has. */
  readonly meanDurationMs: number | null;
  /** The same calls; null while there is none. */
  readonly latencyMs: LatencyPercentiles | null;
  /** By currency; empty where no call has a price. */
  readonly costs: readonly Amount[];
  /** Calls that have an outcome and no price: the model is in no price list, or the usage is unknown. */
  readonly unpricedCalls: number;
}

/** In order of the model's name, then of the provider's, then of the day. @throws InvalidTime when a time in the question is none */
export async function summarizeLlmCalls(
  db: Rows<'llm_calls'>,
  question: LlmStatisticsQuestion = {},
): Promise<readonly ModelSummary[]> {
  const { prices = [], priceVersion, ...grouping } = question;
  const [counts, latencies, costs] = await Promise.all([
    callCounts(db, grouping),
    callLatencies(db, grouping),
    groupCosts(db, grouping, prices, priceVersion),
  ]);
  return counts.map((row) => {
    const key = groupText(row);
    return {
      provider: row.provider,
      model: textFromStored(row.model),
      ...(grouping.by === 'day' && { day: timeFromStored(row.bucket).slice(0, '2026-01-31'.length) }),
      ...countsOf(row),
      ...depthsOf(row),
      latencyMs: latencies.get(key) ?? null,
      ...costsOf(row, costs.get(key)),
    };
  });
}

type CountsRow = Awaited<ReturnType<typeof callCounts>>[number];

function countsOf(row: CountsRow) {
  const answered = Number(row.tools_answered);
  const timed = Number(row.timed);
  const tokens = summedBuckets(row);
  return {
    calls: Number(row.calls),
    failedCalls: Number(row.failed),
    toolCallRate: answered === 0 ? null : Number(row.tool_calls) / answered,
    malformedArguments: Number(row.malformed),
    invalidArguments: Number(row.invalid),
    inputTokens: inputTokens(tokens),
    outputTokens: tokens.output,
    tokens,
    meanDurationMs: timed === 0 ? null : rounded(Number(row.duration_ms) / timed),
  };
}

function depthsOf(row: CountsRow) {
  const [solicitations, fallbacks] = [Number(row.solicitations), Number(row.fallbacks)];
  return {
    solicitations,
    fallbacks,
    meanFallbackDepth: solicitations === 0 ? 0 : fallbacks / solicitations,
    maxFallbackDepth: row.deepest,
  };
}

function costsOf(row: CountsRow, { pricedCalls, amounts }: GroupCosts = { pricedCalls: 0, amounts: [] }) {
  const settled = Number(row.calls) - Number(row.pending);
  return { costs: amounts, unpricedCalls: settled - pricedCalls };
}

/** The counts and sums by model and day, in this order. */
function callCounts(db: Rows<'llm_calls'>, grouping: CallGrouping) {
  return db
    .selectFrom(totalsOf(db, grouping))
    .select(GROUP)
    .select(SUMMED.map((sum) => sql<number | string>`sum(${sql.ref(sum)})`.as(sum)))
    .select(({ fn }) => fn.max('total.deepest').as('deepest'))
    .groupBy(GROUP)
    .orderBy('total.model')
    .orderBy('total.provider')
    .orderBy('total.bucket')
    .execute();
}
