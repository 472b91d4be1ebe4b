import type { ChangeSignal } from '#lib/event-store';
import { RedialError } from '#lib/kernel';
import type { Kysely, RawBuilder } from 'kysely';
import type { ReadSchema } from './read-schema.js';
import type { SqlWords } from '../views/sql-words.js';
import type { Change } from './statement.js';

/**
 * The store of rows. Reads go through Kysely; every write is a list of changes, made in one transaction, so that no
 * transaction is ever open while code waits for something else. What every adapter guarantees is written as a suite
 * (`describeReadStoreContract`, in `testing`).
 */
export interface ReadStore {
  /** The address for display, without a password. */
  readonly location: string;

  /** For reading only: sees what was committed, and never waits for a writer. */
  readonly db: Kysely<ReadSchema>;

  /**
   * Announces that rows may have changed, by this process at least. An adapter may announce writes of other processes too; a caller that waits
   * for those polls as well.
   */
  readonly arrivals: ChangeSignal;

  /** How its SQL says what views and exports need. */
  readonly words: SqlWords;

  /** Whether views for analysts can be made: in a file, and in a database that lets this process make a schema for them. */
  readonly takesViews: boolean;

  /** Milliseconds of the epoch by the store's own clock. Absent if all who share the store share a machine. */
  readonly now?: RawBuilder<number>;

  /** Whether writes that are asked for together are made in one transaction: then one more of them costs little. */
  readonly sharesTransactions: boolean;

  /**
   * Makes all changes, in order, in one transaction. Writes whose first change is a condition on the same row take turns: the
   * second begins when the first is kept or gone. False, and nothing is kept, when a condition changed no row.
   * @throws ChangeRefused when a row contradicts its table. Nothing is kept.
   * @throws StoreUnavailable when the store cannot be written (locked, full, closed). Nothing is kept; only if a
   * connection broke during the commit, the changes may be stored.
   */
  write(changes: readonly Change[]): Promise<boolean>;

  /** Afterwards no file of the store has what was deleted or replaced before. Absent where the store does not say what it keeps. @throws StoreUnavailable */
  scrub?(): Promise<void>;

  /** Releases everything; afterwards reading and writing throw StoreUnavailable. Closing twice is not an error. */
  close(): Promise<void>;
}

/** A row that its table cannot take: twice the same key, a column without a value. */
export class ChangeRefused extends RedialError {}
