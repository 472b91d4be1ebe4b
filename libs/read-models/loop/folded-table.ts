import { RedialError } from '#lib/kernel';
import type { Columns } from '../store/columns.js';
import { type Table, table } from '../store/table.js';
import type { ReadModel } from './declare.js';

/**
 * Raised with every changed or added table of a loop, and with every change of the values that a fold writes: a build fills its
 * own tables beside those of another version. A spec of `engine` records the tables of each version.
 */
export const ROWS_VERSION = 46;

type Versioned<Name extends string> = `${Name}_v${typeof ROWS_VERSION}`;

/** A table that a loop fills. Its `name`, as queries use it, ends in the version. */
export function foldedTable<const Name extends string, const C extends Columns>(
  name: Name,
  columns: C,
  primaryKey: readonly (keyof C & string)[],
  indexes: readonly (readonly (keyof C & string)[])[] = [],
): Table<Versioned<Name>, C> {
  return table(`${name}_v${ROWS_VERSION}` as const, columns, primaryKey, indexes);
}

/** A table's name does not end in the version of the rows: another build may fill a table of this name. A bug. */
class TableWithoutVersion extends RedialError {}

/** @throws TableWithoutVersion */
export function checkVersions(models: readonly ReadModel[], version: number): void {
  const tables = models.flatMap(({ kinds }) => kinds.map(({ table: { name } }) => name));
  const wrong = tables.find((name) => !name.endsWith(`_v${version}`));
  if (wrong === undefined) return;
  const why = `the loop that fills it keeps rows of version ${version}`;
  throw new TableWithoutVersion(
    `table ${wrong}`,
    why,
    'Declare the table with `foldedTable`, or with its version at the end of its name',
  );
}
