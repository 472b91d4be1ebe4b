import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import { callContributions, callDurations } from '../llm-calls/llm-call-totals.js';
import {
  type CallOrigin,
  DURATION_KEY,
  llmCallDurationsTable,
  llmCallTotalsTable,
  SUMMED,
  TOTALS_KEY,
} from '../llm-calls/llm-calls.tables.js';
import type { SqlValue } from '../store/columns.js';
import type { Rows } from '../store/rows.js';
import { dayOf, storedTime, storedUuid } from '../store/stored-values.js';

/** The filter of calls, and their grouping. */
export interface CallGrouping {
  /** `model` (the default): one group for each model of a provider. `day`: one for each of them and UTC day. */
  readonly by?: 'model' | 'day';
  readonly machineName?: string;
  /** Calls of one session, or of the samples of one evaluation. */
  readonly sessionId?: string;
  /** Calls for one decision of the session: those made in its round. */
  readonly roundId?: string;
  /** Default: all. */
  readonly origins?: readonly CallOrigin[];
  /** ISO 8601: requested at or after this time. */
  readonly from?: string;
  /** ISO 8601: requested before this time. */
  readonly to?: string;
}

/** The columns of a group: the provider, the stored model, and the start of the day or 0. */
interface GroupKey {
  readonly provider: string;
  readonly model: string;
  readonly bucket: number;
}

/** In epoch milliseconds, without `until`. */
interface TimeSpan {
  readonly from: number;
  readonly until: number;
}

const ALL_TIMES: TimeSpan = { from: -Infinity, until: Infinity };

/** The columns of a group. */
export const GROUP = ['total.model', 'total.provider', 'total.bucket'] as const;

export function groupText({ provider, model, bucket }: GroupKey): string {
  return `${bucket} ${provider} ${model}`;
}

/** The totals of the calls of a grouping, row by row. @param span of their requests @throws InvalidTime */
export function totalsOf(db: Rows<'llm_calls'>, grouping: CallGrouping, span = ALL_TIMES) {
  const kept = db
    .selectFrom(`${llmCallTotalsTable.name} as call` as const)
    .select([...TOTALS_KEY, ...SUMMED, 'deepest']);
  return callsOf(db, grouping, span, kept, callContributions(db));
}

/** The numbers of a grouping's calls by duration, row by row. @throws InvalidTime */
export function durationsOf(db: Rows<'llm_calls'>, grouping: CallGrouping) {
  const kept = db
    .selectFrom(`${llmCallDurationsTable.name} as call` as const)
    .select([...DURATION_KEY, 'calls']);
  return callsOf(db, grouping, ALL_TIMES, kept, callDurations(db));
}

/** @param kept the sums of whole days @param each the calls one by one, in the same columns */
function callsOf<DB, TB extends keyof DB, EachDB, EachTB extends keyof EachDB, Row>(
  db: Rows<'llm_calls'>,
  grouping: CallGrouping,
  span: TimeSpan,
  kept: SelectQueryBuilder<DB, TB, Row>,
  each: SelectQueryBuilder<EachDB, EachTB, Row>,
) {
  const { days, edges } = partsOf(grouping, span);
  const all = edges.reduce(
    (query, edge) => query.unionAll(each.where(isEdge(grouping, edge))),
    kept.where(isIn('call.day', days)),
  );
  return db
    .selectFrom(all.as('one'))
    .selectAll()
    .select(bucketOf(grouping))
    .where(isOf(grouping))
    .as('total');
}

/** Whole days of a span are read from totals; the hours at its edges, a session and a round from each call. */
function partsOf({ from, to, sessionId, roundId }: CallGrouping, span: TimeSpan) {
  const begin = Math.max(span.from, from === undefined ? -Infinity : storedTime(from));
  const end = Math.min(span.until, to === undefined ? Infinity : storedTime(to));
  const days = { from: -dayOf(-begin), until: dayOf(end) };
  const isKept = sessionId === undefined && roundId === undefined && days.from < days.until;
  if (!isKept) return { days: NO_TIME, edges: [{ from: begin, until: end }] };
  const edges = [
    { from: begin, until: days.from },
    { from: days.until, until: end },
  ];
  return { days, edges: edges.filter((edge) => edge.from < edge.until) };
}

const NO_TIME: TimeSpan = { from: 0, until: 0 };

function isIn(column: 'call.day' | 'call.requested_at', { from, until }: TimeSpan): RawBuilder<boolean> {
  const begins = Number.isFinite(from) ? sql`${sql.ref(column)} >= ${from}` : sql`1 = 1`;
  const ends = Number.isFinite(until) ? sql`${sql.ref(column)} < ${until}` : sql`1 = 1`;
  return sql<boolean>`${begins} and ${ends}`;
}

function isEdge({ sessionId, roundId }: CallGrouping, edge: TimeSpan): RawBuilder<boolean> {
  const session = equals('call.session_id', sessionId && storedUuid(sessionId));
  const round = equals('call.round_id', roundId && storedUuid(roundId));
  return sql<boolean>`${isIn('call.requested_at', edge)} and ${session} and ${round}`;
}

function isOf({ machineName, origins }: CallGrouping): RawBuilder<boolean> {
  const counted = origins ? sql<boolean>`origin in (${sql.join(origins)})` : sql<boolean>`1 = 1`;
  return sql<boolean>`${equals('machine_name', machineName)} and ${counted}`;
}

/** Without a value every row matches. */
function equals(column: string, value: SqlValue | undefined): RawBuilder<boolean> {
  return value === undefined ? sql<boolean>`1 = 1` : sql<boolean>`${sql.ref(column)} = ${value}`;
}

function bucketOf({ by }: CallGrouping) {
  return sql<number>`${by === 'day' ? sql.ref('day') : sql.lit(0)}`.as('bucket');
}

/** Percentiles by nearest rank, in milliseconds: each is the duration of a call, rounded to two significant digits. */
export interface LatencyPercentiles {
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
}

/** The latencies of the calls with an outcome, with failed ones, by group. */
export async function callLatencies(
  db: Rows<'llm_calls'>,
  grouping: CallGrouping,
): Promise<ReadonlyMap<string, LatencyPercentiles>> {
  const calls = sql<number>`sum(calls)`;
  const counted = db
    .selectFrom(durationsOf(db, grouping))
    .select([...GROUP, 'total.duration_ms', calls.as('calls')])
    .groupBy([...GROUP, 'total.duration_ms']);
  const ranked = db
    .selectFrom(counted.as('total'))
    .select([
      ...GROUP,
      'total.duration_ms',
      sql<number>`sum(calls) over (partition by model, provider, bucket order by duration_ms)`.as('rank'),
      sql<number>`sum(calls) over (partition by model, provider, bucket)`.as('size'),
    ]);
  const rows = await db
    .selectFrom(ranked.as('total'))
    .select([...GROUP, atRank(50).as('p50'), atRank(95).as('p95'), atRank(99).as('p99')])
    .groupBy(GROUP)
    .execute();
  return new Map(
    rows.map(({ p50, p95, p99, ...group }) => [
      groupText(group),
      { p50: Number(p50), p95: Number(p95), p99: Number(p99) },
    ]),
  );
}

/** The smallest duration at or after the rank. Whole numbers give the same on every engine. */
function atRank(percent: number) {
  return sql<number | string>`min(case when rank * 100 >= size * ${sql.lit(percent)} then duration_ms end)`;
}
