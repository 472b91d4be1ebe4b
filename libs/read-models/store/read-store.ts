import type { ChangeSignal } from '#lib/event-store';
import { RedialError } from '#lib/kernel';
import type { Kysely, RawBuilder } from 'kysely';
import type { ReadSchema } from './read-schema.js';
import type { SqlWords } from '../views/sql-words.js';
import type { Change } from './statement.js';

/**
 * The store of rows. Reads go through Kysely. Every write is a list of changes in one transaction, so no transaction is open
 * while code waits. A suite specifies the guarantees of every adapter (`describeReadStoreContract`, in `testing`).
 */
export interface ReadStore {
  /** The address for display, without a password. */
  readonly location: string;

  /** Read-only: sees committed rows, and never waits for a writer. */
  readonly db: Kysely<ReadSchema>;

  /**
   * Announces that rows may have changed, at least by this process. An adapter may announce writes of other processes; a caller
   * that waits for those polls as well.
   */
  readonly arrivals: ChangeSignal;

  /** The SQL expressions of its engine for views and exports. */
  readonly words: SqlWords;

  /** Whether views for analysts can be made: in a file, and in a database where this process may make a schema for them. */
  readonly takesViews: boolean;

  /** Epoch milliseconds by the store's own clock. Absent if all processes that share the store share a machine. */
  readonly now?: RawBuilder<number>;

  /** Whether writes requested together share a transaction: then a further one costs little. */
  readonly sharesTransactions: boolean;

  /**
   * Makes all changes, in order, in one transaction. Writes whose first change is a condition on the same row take turns: the
   * second begins after the first is committed or rolled back. False, and nothing is stored, if a condition changed no row.
   * @throws ChangeRefused if a row contradicts its table. Nothing is stored.
   * @throws StoreUnavailable if the store cannot be written (locked, full, closed). Nothing is stored; only if a connection broke
   * during the commit, the changes may be stored.
   */
  write(changes: readonly Change[]): Promise<boolean>;

  /** Removes deleted and replaced content from the store's files. Absent if the store does not control its files. @throws StoreUnavailable */
  scrub?(): Promise<void>;

  /** Releases all resources; afterwards reads and writes throw StoreUnavailable. Closing twice is not an error. */
  close(): Promise<void>;
}

/** A row that its table refuses: a repeated key, or a column without a value. */
export class ChangeRefused extends RedialError {}
