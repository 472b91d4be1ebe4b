import { StoreUnavailable } from '#lib/event-store';
import { leasesTable, leaseStoreTable } from '../leases/stored-leases.js';
import { createTables } from '../store/create-tables.js';
import { insertRowOnce } from '../store/row-changes.js';
import type { ReadStore } from '../store/read-store.js';
import { asCondition, type Change, statement } from '../store/statement.js';
import { type SchemaOf, table } from '../store/table.js';

/** The version of a PostgreSQL read store's tables without versions; one row. */
const schemaVersionTable = table('schema_version', { name: 'text', version: 'integer' }, ['name']);

export type VersionTables = SchemaOf<typeof schemaVersionTable>;

/** The places of projections of builds before 0.3, which may run beside this one. */
const checkpointsTable = table(
  'checkpoints',
  { name: 'text', version: 'integer', position: 'text', rebuilding_until: 'text' },
  ['name', 'version'],
);

/**
 * The migrations: the n-th makes version n of the version before. The list only grows. Tables of projections are not in it: they
 * have their version in their names.
 */
const MIGRATIONS: readonly (readonly Change[])[] = [
  createTables([checkpointsTable, leasesTable]),
  createTables([leaseStoreTable]),
];

const NAME = 'read store';
const addVersion = insertRowOnce(schemaVersionTable);
const advance = statement({ from: 'integer', to: 'integer' }, (db, { from, to }) =>
  db
    .withTables<VersionTables>()
    .updateTable('schema_version')
    .set({ version: to })
    .where('name', '=', NAME)
    .where('version', '=', from),
);

/**
 * Migrates the tables that belong to no projection to the newest version. Concurrent processes share the steps.
 * @throws StoreUnavailable if a newer build has migrated them: there is no way back.
 */
export async function migrate(store: ReadStore, what: string): Promise<void> {
  await store.write([...createTables([schemaVersionTable]), addVersion({ name: NAME, version: 0 })]);
  for (;;) {
    const { version } = await store.db
      .withTables<VersionTables>()
      .selectFrom('schema_version')
      .select('version')
      .where('name', '=', NAME)
      .executeTakeFirstOrThrow();
    if (version > MIGRATIONS.length) throw tooNew(what, version);
    const step = MIGRATIONS[version];
    if (!step) return;
    // Without effect if another process was first.
    await store.write([asCondition(advance({ from: version, to: version + 1 })), ...step]);
  }
}

function tooNew(what: string, version: number): StoreUnavailable {
  return new StoreUnavailable(
    what,
    `its tables have version ${version}, and this version of Redial knows ${MIGRATIONS.length}`,
    'Use the newer version of Redial, or an empty database: it is filled again from the log',
  );
}
