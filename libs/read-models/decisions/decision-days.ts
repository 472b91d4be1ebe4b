import { type RawBuilder, sql } from 'kysely';
import type { Rows } from '../store/rows.js';
import { dayOf, storedTime, textFromStored, timeFromStored } from '../store/stored-values.js';
import { type DecisionKind, decisionDaysTable } from './decisions.tables.js';

/** The most lines: of the newest days. */
const MOST_LINES = 10_000;

interface DecisionDaysFilter {
  readonly machineName?: string;
  /** ISO 8601: from the UTC day of this time on. */
  readonly from?: string;
  /** ISO 8601: on days that began before this time. */
  readonly to?: string;
  /** `state` (the default): a line for each day, machine and state. `day`: one for each day. */
  readonly by?: 'state' | 'day';
}

/**
 * The decisions of each UTC day by author, newest day first. Those of forks do not count.
 * @throws InvalidTime if `from` or `to` is not a time
 */
export async function decisionsByDay(
  db: Rows<'sessions'>,
  { machineName, from, to, by = 'state' }: DecisionDaysFilter,
) {
  let query = db.selectFrom(decisionDaysTable.name).select('day');
  if (machineName !== undefined) query = query.where('machine_name', '=', machineName);
  if (from !== undefined) query = query.where('day', '>=', dayOf(storedTime(from)));
  if (to !== undefined) query = query.where('day', '<', storedTime(to));
  const rows = await query
    .select(KINDS.map(([member, kind]) => madeBy(kind).as(member)))
    .groupBy('day')
    .orderBy('day', 'desc')
    .$if(by === 'state', (lines) =>
      lines
        .select(['machine_name', 'from_state'])
        .groupBy(['machine_name', 'from_state'])
        .orderBy('machine_name')
        .orderBy('from_state'),
    )
    .limit(MOST_LINES)
    .execute();
  return rows.map(({ day, machine_name: machine, from_state: state, ...counts }) => ({
    day: timeFromStored(day).slice(0, '2026-01-31'.length),
    ...(machine !== undefined && { machineName: machine }),
    ...(state !== undefined && { state: textFromStored(state) }),
    ...counts,
  }));
}

const KINDS = [
  ['humanDecisions', 'person'],
  ['agreedDecisions', 'agreement'],
  ['aiDecisions', 'models'],
  ['operatorDecisions', 'operator'],
  ['timerDecisions', 'timer'],
] as const;

/** A sum as a number: PostgreSQL gives a sum of BIGINT as text. */
function madeBy(kind: DecisionKind): RawBuilder<number> {
  return sql<number>`cast(sum(case when kind = ${kind} then decisions else 0 end) as double precision)`;
}
