import { type Expression, type Kysely, sql, type SqlBool } from 'kysely';
import type { ReadSchema } from './read-schema.js';
import { storedUuid } from './stored-values.js';

declare const readsOnly: unique symbol;

/**
 * The read models as a query sees them that reads rows of these projections alone. A query function asks for those of the
 * projections it reads; the compiler refuses it where fewer were named, and so not waited for.
 */
export type Rows<Name extends string> = Kysely<ReadSchema> & {
  readonly [readsOnly]?: (name: Name) => void;
};

/** The condition that a UUID begins so. @param start hexadecimal digits and hyphens; empty: any */
export function startsWith(column: string, start: string): Expression<SqlBool> {
  if (start === '') return sql<SqlBool>`1 = 1`;
  const filledWith = (digit: string) => start + UUID.replaceAll('0', digit).slice(start.length);
  return sql<SqlBool>`${sql.ref(column)} between ${storedUuid(filledWith('0'))} and ${storedUuid(filledWith('f'))}`;
}

const UUID = '00000000-0000-0000-0000-000000000000';
