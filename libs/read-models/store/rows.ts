import { type Expression, type Kysely, sql, type SqlBool } from 'kysely';
import type { ReadSchema } from './read-schema.js';
import { columnOf, type Columns, storedIn } from './columns.js';
import { uuidFromStored } from './stored-values.js';
import type { Table } from './table.js';

declare const readsOnly: unique symbol;

/**
 * The read models for a query that reads these projections alone. A query function asks for those that it reads; the compiler
 * refuses it if fewer were named, and so not waited for.
 */
export type Rows<Name extends string> = Kysely<ReadSchema> & {
  readonly [readsOnly]?: (name: Name) => void;
};

/**
 * The conditions for UUIDs that begin so: none for an empty beginning.
 * @param start hexadecimal digits and hyphens; empty or absent: any
 */
export function idStartsWith<C extends Columns>(
  { name, columns }: Table<string, C>,
  id: keyof C & string,
  start = '',
): readonly Expression<SqlBool>[] {
  if (start === '') return [];
  const filledWith = (digit: string) =>
    storedIn(columnOf(columns[id] as C[typeof id]), start + UUID.replaceAll('0', digit).slice(start.length));
  return [sql<SqlBool>`${sql.ref(`${name}.${id}`)} between ${filledWith('0')} and ${filledWith('f')}`];
}

/**
 * The ids of the newest rows that begin so, newest first.
 * @param start as of `idStartsWith`
 */
export async function idsStartingWith<C extends Columns>(
  db: Kysely<ReadSchema>,
  table: Table<string, C>,
  id: keyof C & string,
  start: string,
  limit: number,
): Promise<readonly string[]> {
  const conditions = [sql<SqlBool>`1 = 1`, ...idStartsWith(table, id, start)];
  const { rows } = await sql<{ readonly id: Buffer }>`
    select ${sql.ref(id)} as id from ${sql.table(table.name)} where ${sql.join(conditions, sql` and `)}
    order by number desc limit ${limit}`.execute(db);
  return rows.map((row) => uuidFromStored(row.id));
}

const UUID = '00000000-0000-0000-0000-000000000000';
