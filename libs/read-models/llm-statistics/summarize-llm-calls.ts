import { inputTokens } from '#lib/call-rules';
import { summedBuckets } from '../llm-calls/call-usage.js';
import type { Rows } from '../store/rows.js';
import { rounded, textFromStored, timeFromStored } from '../store/stored-values.js';
import { type GroupCosts, groupCosts } from './group-costs.js';
import type { PriceTable } from './prices.js';
import { type CallGrouping, callLatencies, groupText, GROUP, totalsOf } from './statistics-calls.js';
import { sql } from 'kysely';
import { SUMMED } from '../llm-calls/llm-calls.tables.js';

/** The query over calls to models. */
interface LlmStatisticsQuestion extends CallGrouping {
  /** Default: none; then no call has a cost. */
  readonly prices?: PriceTable;
  /** Prices all calls by this version; default: each by the version in force at its request. */
  readonly priceVersion?: string;
}

/**
 * The calls and costs of each model of a provider, in all or on each day: in order of the model's name, the provider's name and
 * the day.
 * @throws InvalidTime if a time in the question is none
 */
export async function summarizeLlmCalls(db: Rows<'llm_calls'>, question: LlmStatisticsQuestion = {}) {
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

/** The calls and costs of one model of a provider, in all or on one day. */
export type ModelSummary = Awaited<ReturnType<typeof summarizeLlmCalls>>[number];

type CountsRow = Awaited<ReturnType<typeof callCounts>>[number];

function countsOf(row: CountsRow) {
  const answered = Number(row.tools_answered);
  const timed = Number(row.timed);
  const tokens = summedBuckets(row);
  return {
    calls: Number(row.calls),
    failedCalls: Number(row.failed),
    /** The share of answers with a tool call among those with tools on offer; null if there are none. */
    toolCallRate: answered === 0 ? null : Number(row.tool_calls) / answered,
    /** Arguments of tool calls that are not a JSON object, and those that do not fit the transition's parameters. */
    malformedArguments: Number(row.malformed),
    invalidArguments: Number(row.invalid),
    inputTokens: inputTokens(tokens),
    outputTokens: tokens.output,
    tokens,
    /** The mean over the calls with an outcome; null without any. */
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
