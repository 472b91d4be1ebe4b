import { sha256 } from '#lib/kernel';
import { createTables } from '../store/create-tables.js';
import type { ReadStore } from '../store/read-store.js';
import { insertRowOnce } from '../store/row-changes.js';
import { asCondition, type Change, ddl, statement } from '../store/statement.js';
import { type SchemaOf, table } from '../store/table.js';
import { type Dataset, viewName, viewQuery } from './dataset.js';

/** The name of the rows under the views for analysts; one record. Two builds that share a store have different rows. */
const madeViewsTable = table('made_views_v1', { name: 'text', made_of: 'text' }, ['name']);

type Tables = SchemaOf<typeof madeViewsTable>;

const NAME = 'views';
const addOnce = insertRowOnce(madeViewsTable);
const makeOf = statement({ made_of: 'text' }, (db, { made_of }) =>
  db.withTables<Tables>().updateTable('made_views_v1').set({ made_of }).where('made_of', '<>', made_of),
);

/** Makes the views, unless they read these rows already. @throws StoreUnavailable */
export async function serveViews(store: ReadStore, datasets: readonly Dataset[]): Promise<void> {
  const changes = viewsOf(store, datasets);
  if (changes.length === 0) return;
  await store.write([...createTables([madeViewsTable]), addOnce({ name: NAME, madeOf: '' })]);
  const madeOf = sha256(changes.map(({ template }) => template.compile(store.db).sql).join(';'));
  // The second of two processes waits for the first, and then changes no row.
  await store.write([asCondition(makeOf({ madeOf })), ...changes]);
}

/** The changes that make the views, in place of existing ones; none if the store takes no views. */
export function viewsOf({ takesViews, words }: ReadStore, datasets: readonly Dataset[]): readonly Change[] {
  if (!takesViews) return [];
  return datasets.flatMap((one) => {
    const name = words.view(viewName(one));
    return [ddl(`drop view if exists ${name}`), ddl(`create view ${name} as ${viewQuery(one, words)}`)];
  });
}
