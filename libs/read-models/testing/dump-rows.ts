import type { ReadModel } from '../loop/declare.js';
import type { ReadSchema } from '../store/read-schema.js';
import type { ReadStore } from '../store/read-store.js';
import { rounded } from '../store/stored-values.js';

/** Every row of these models, by table, in the order of the primary key. */
export async function dumpRows(
  { db }: ReadStore,
  models: readonly Pick<ReadModel, 'kinds'>[],
): Promise<{ readonly [table: string]: readonly object[] }> {
  const dump: [string, object[]][] = [];
  for (const { name, primaryKey } of models.flatMap(({ kinds }) => kinds.map(({ table }) => table))) {
    const found: Readonly<Record<string, unknown>>[] = await db
      .selectFrom(name as keyof ReadSchema)
      .selectAll()
      .execute();
    const rows = found.map(withRoundedSums);
    const keyOf = (row: object) =>
      primaryKey.map((column) => (row as Record<string, unknown>)[column]).join();
    dump.push([name, rows.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))]);
  }
  return Object.fromEntries(dump);
}

/** The last digits of sums of fractions depend on the pages by which they were added. */
function withRoundedSums(row: Readonly<Record<string, unknown>>): object {
  const values = Object.entries(row).map(([name, value]) => [
    name,
    typeof value === 'number' ? rounded(value) : value,
  ]);
  return Object.fromEntries(values);
}
