import type { Projection } from '../runner/projection.js';
import type { ReadSchema } from '../store/read-schema.js';
import type { ReadStore } from '../store/read-store.js';

/** Every row of these projections, by table, in the order of the primary key. */
export async function dumpRows(
  { db }: ReadStore,
  projections: readonly Projection[],
): Promise<{ readonly [table: string]: readonly object[] }> {
  const dump: [string, object[]][] = [];
  for (const { name, primaryKey } of projections.flatMap(({ tables }) => tables)) {
    const rows: object[] = await db
      .selectFrom(name as keyof ReadSchema)
      .selectAll()
      .execute();
    const keyOf = (row: object) =>
      primaryKey.map((column) => (row as Record<string, unknown>)[column]).join();
    dump.push([name, rows.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))]);
  }
  return Object.fromEntries(dump);
}
