import { type Expression, type Kysely, sql, type SqlBool } from 'kysely';
import type { ReadSchema } from './read-schema.js';
import { storedUuid, uuidFromStored } from './stored-values.js';

declare const readsOnly: unique symbol;

/**
 * The read models as a query sees them that reads rows of these projections alone. A query function asks for those of the
 * projections it reads; the compiler refuses it if fewer were named, and so not waited for.
 */
export type Rows<Name extends string> = Kysely<ReadSchema> & {
  readonly [readsOnly]?: (name: Name) => void;
};

/** The condition that a UUID begins so. @param start hexadecimal digits and hyphens; empty: any */
function startsWith(column: string, start: string): Expression<SqlBool> {
  if (start === '') return sql<SqlBool>`1 = 1`;
  const filledWith = (digit: string) => start + UUID.replaceAll('0', digit).slice(start.length);
  return sql<SqlBool>`${sql.ref(column)} between ${storedUuid(filledWith('0'))} and ${storedUuid(filledWith('f'))}`;
}

interface IdColumns {
  readonly table: keyof ReadSchema;
  readonly id: string;
}

/**
 * The ids of the newest rows whose ids begin so, newest first.
 * @param start hexadecimal digits and hyphens; empty: any
 */
export async function idsStartingWith(
  db: Kysely<ReadSchema>,
  { table, id }: IdColumns,
  start: string,
  limit: number,
): Promise<readonly string[]> {
  const { rows } = await sql<{ readonly id: Buffer }>`
    select ${sql.ref(id)} as id from ${sql.table(table)} where ${startsWith(id, start)}
    order by number desc limit ${limit}`.execute(db);
  return rows.map((row) => uuidFromStored(row.id));
}

const UUID = '00000000-0000-0000-0000-000000000000';
