import { RedialError } from '#lib/kernel';
import type { LoopModels, ReadModel } from '#lib/read-models';

/** Rows of an application, folded from the log in a loop of their own. */
export interface UserFold extends ReadModel {
  /**
   * From 1. It must be raised with each change of a table or of the rows that a fold writes: the rows are then filled from the start of the
   * log, beside those of the version before. The names of its tables begin with its name, and end in the version: `orders_v2`,
   * `orders_lines_v2`.
   */
  readonly version: number;
}

/** A fold of the application cannot be run beside the others. */
export class InvalidFold extends RedialError {}

const NAME = /^[a-z][a-z0-9_]{0,39}$/;

/** A loop for each fold: one that throws stops its own loop, and no other. @throws InvalidFold */
export function loopsOfFolds(
  folds: readonly UserFold[],
  taken: readonly LoopModels[],
): readonly LoopModels[] {
  const models = taken.flatMap((loop) => loop.models);
  const names = [...models.map(({ name }) => name), ...folds.map(({ name }) => name)];
  const tables = models.flatMap(({ kinds }) => kinds.map(({ table }) => table.name));
  return folds.map((fold) => {
    const { name, version, kinds } = fold;
    const why = whyNot(fold, names, tables);
    if (why !== undefined) throw new InvalidFold(`fold ${name}`, why, 'Change its declaration');
    for (const { table } of kinds) checkTable(fold, table.name);
    return { name: `fold_${name}`, version, models: [fold], stopsAtErrors: true };
  });
}

function whyNot(
  { name, version }: UserFold,
  names: readonly string[],
  tables: readonly string[],
): string | undefined {
  if (!NAME.test(name)) return 'its name is not of at most 40 small letters, digits and underscores';
  if (names.filter((one) => one === name).length > 1) return 'there is another one of its name';
  if (tables.some((one) => one.startsWith(`${name}_`))) return 'tables of Redial begin with its name';
  if (!Number.isSafeInteger(version) || version < 1) return 'its version is not a whole number from 1';
  return undefined;
}

function checkTable({ name, version }: UserFold, table: string): void {
  if (table.startsWith(`${name}_`) && table.endsWith(`_v${version}`)) return;
  const fix = `Name it \`${name}_v${version}\`, or with words between`;
  throw new InvalidFold(
    `table ${table} of fold ${name}`,
    'it does not begin with its name and end in its version',
    fix,
  );
}
