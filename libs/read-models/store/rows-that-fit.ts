import { setImmediate } from 'node:timers/promises';
import {
  type Expression,
  type Kysely,
  type RawBuilder,
  type SelectQueryBuilder,
  sql,
  type SqlBool,
} from 'kysely';
import { storedTime } from './stored-values.js';

/** The most rows that one statement looks through. SQLite reads on the thread that serves requests: a statement takes about a millisecond. */
const ROWS_PER_STATEMENT = 1_000;

/** Conditions on the rows of a list. */
export interface RowFilter<Row> {
  readonly db: Pick<Kysely<object>, 'withTables'>;
  /** Columns that have an index with the key of the list, the most selective first. */
  readonly indexed: readonly (keyof Row & string)[];
  /** Values of columns; undefined: any. */
  readonly equal: { readonly [Column in keyof Row]?: Row[Column] | undefined };
  /** Further conditions on columns of the list's table. */
  readonly conditions?: readonly Expression<SqlBool>[];
  /** Conditions on a time or an id with an index of its own. */
  readonly span?: readonly Expression<SqlBool>[];
}

interface Equality {
  readonly column: string;
  readonly value: unknown;
}

/** The one condition of a filter that uses an index, if there is one, and those that are tried on each row. */
export function splitFilter<Row>(
  filter: RowFilter<Row> | undefined,
  refer: (column: string) => RawBuilder<unknown>,
): {
  readonly first: Equality | undefined;
  readonly others: readonly Expression<SqlBool>[];
} {
  if (!filter) return { first: undefined, others: [] };
  const { equal, indexed, conditions = [], span = [] } = filter;
  const given: Equality[] = Object.entries(equal)
    .map(([column, value]) => ({ column, value }))
    .filter(({ value }) => value !== undefined);
  const lead = indexed.find((column) => equal[column] !== undefined);
  const others = given.filter(({ column }) => column !== lead);
  return {
    first: given.find(({ column }) => column === lead),
    others: [
      ...others.map(({ column, value }) => sql<SqlBool>`${refer(column)} = ${value}`),
      ...conditions,
      ...span,
    ],
  };
}

/** The conditions that a time is at or after `from` and before `to`, if given. @throws InvalidTime */
export function isWithin(
  column: string,
  { from, to }: { readonly from?: string | undefined; readonly to?: string | undefined },
): readonly Expression<SqlBool>[] {
  return [
    ...(from === undefined ? [] : [sql<SqlBool>`${sql.ref(column)} >= ${storedTime(from)}`]),
    ...(to === undefined ? [] : [sql<SqlBool>`${sql.ref(column)} < ${storedTime(to)}`]),
  ];
}

/** A condition for a span of times or ids with so few rows that one statement may look through them: an index finds them, and they are sorted. */
export async function isAmongFew<DB, TB extends keyof DB, Row>(
  rows: SelectQueryBuilder<DB, TB, Row>,
  key: RawBuilder<string | number>,
  span: readonly Expression<SqlBool>[] = [],
): Promise<Expression<SqlBool> | undefined> {
  if (span.length === 0) return undefined;
  const within = rows.clearSelect().select(key.as('key')).where(allOf(span));
  const found = await within.limit(ROWS_PER_STATEMENT + 1).execute();
  return found.length > ROWS_PER_STATEMENT ? undefined : sql<SqlBool>`${key} in (${within})`;
}

export function allOf(conditions: readonly Expression<SqlBool>[]): RawBuilder<SqlBool> {
  return sql<SqlBool>`${sql.join([...conditions], sql` and `)}`;
}

interface Search<DB, TB extends keyof DB, Row> {
  readonly db: Pick<Kysely<object>, 'withTables'>;
  readonly rows: SelectQueryBuilder<DB, TB, Row>;
  /** The rows after a key, in their order. */
  readonly rest: (after: string | number | undefined) => SelectQueryBuilder<DB, TB, Row>;
  readonly key: RawBuilder<string | number>;
  readonly name: keyof Row & string;
  readonly order: 'asc' | 'desc';
  readonly conditions: readonly Expression<SqlBool>[];
}

/**
 * The first rows after a key that meet conditions without an index. Other work of the process runs between two statements. Each
 * statement begins after the last key of the one before: rows added or removed in between neither repeat nor hide others.
 */
export async function rowsThatFit<DB, TB extends keyof DB, Row>(
  search: Search<DB, TB, Row>,
  after: string | number | undefined,
  limit: number,
  rowsPerStatement = ROWS_PER_STATEMENT,
): Promise<readonly Row[]> {
  const found: Row[] = [];
  for (let from = after; ; await setImmediate()) {
    const seen = await fittingAndLast(search, from, limit - found.length, rowsPerStatement);
    const last = seen.at(-1);
    found.push(...seen.filter(({ fits }) => fits === 1).map(({ fits: _, ...row }) => row as Row));
    if (found.length >= limit || !last) return found;
    from = last[search.name] as string | number;
  }
}

/**
 * The fitting rows among the next ones that a statement may look through; if there are that many, also the last of them. The
 * conditions do not filter the inner statement, so the engine's planner cannot choose another way to the fitting rows.
 */
function fittingAndLast<DB, TB extends keyof DB, Row>(
  { db, rows, rest, key, order, conditions }: Search<DB, TB, Row>,
  from: string | number | undefined,
  limit: number,
  rowsPerStatement: number,
): Promise<readonly (Row & { readonly fits: number })[]> {
  const next = rest(from);
  const last = next
    .clearSelect()
    .select(key.as('key'))
    .offset(rowsPerStatement - 1)
    .limit(1);
  const fits = sql<number>`case when ${allOf(conditions)} then 1 else 0 end`;
  const tried = next
    .clearSelect()
    .select([key.as('key'), fits.as('fits')])
    .limit(rowsPerStatement);
  const triedKey = sql.ref<string | number>('tried.key');
  const chosen = db
    .withTables<{ readonly tried: { readonly key: string | number; readonly fits: number } }>()
    .selectFrom(tried.as('tried'))
    .select(triedKey.as('key'))
    .where(sql<SqlBool>`(tried.fits = 1 or ${triedKey} = (${last}))`)
    .orderBy(triedKey, order)
    .limit(limit);
  return rows
    .select(fits.as('fits'))
    .where(sql<SqlBool>`${key} in (${chosen})`)
    .orderBy(key, order)
    .$castTo<Row & { readonly fits: number }>()
    .execute();
}
