import { randomBytes } from 'node:crypto';
import { BYTES_OF_KEY, ERASED, KeyMissing, type KeySource, type MasterKey } from '#lib/event-store';
import { RedialError } from '#lib/kernel';
import { createTables } from '../store/create-tables.js';
import type { ReadStore } from '../store/read-store.js';
import { insertRowOnce, updateRow } from '../store/row-changes.js';
import { asCondition, type Change, durable, statement } from '../store/statement.js';
import { recordOf, type RecordOf, type SchemaOf, table } from '../store/table.js';

/** The keys of subjects, wrapped by the master key. A row without a key is a tombstone: it stays, so that the subject gets no new key. */
const subjectKeysTable = table(
  'subject_keys_v1',
  { log_id: 'text', subject: 'text', wrapped: 'text?', erased_at: 'text?' },
  ['log_id', 'subject'],
);

/** The proof of the master key that wraps the keys of a log. */
const masterKeysTable = table('master_keys_v1', { log_id: 'text', proof: 'text' }, ['log_id']);

type KeyTables = SchemaOf<typeof subjectKeysTable> & SchemaOf<typeof masterKeysTable>;
type KeyRow = RecordOf<typeof subjectKeysTable>;

const addKey = durable(insertRowOnce(subjectKeysTable));
const bury = durable(updateRow(subjectKeysTable, ['log_id', 'subject'], ['wrapped', 'erased_at']));
const addProof = durable(insertRowOnce(masterKeysTable));
/** Changes no row whose key another process has destroyed or wrapped since it was read. */
const rewrap = durable(
  statement({ log_id: 'text', subject: 'text', from: 'text', to: 'text' }, (db, row) =>
    db
      .withTables<KeyTables>()
      .updateTable('subject_keys_v1')
      .set({ wrapped: row.to })
      .where('log_id', '=', row.log_id)
      .where('subject', '=', row.subject)
      .where('wrapped', '=', row.from),
  ),
);
/** Changes a row only if it has the proof `from`. */
const moveProof = durable(
  statement({ log_id: 'text', from: 'text', to: 'text' }, (db, row) =>
    db
      .withTables<KeyTables>()
      .updateTable('master_keys_v1')
      .set({ proof: row.to })
      .where('log_id', '=', row.log_id)
      .where('proof', '=', row.from),
  ),
);

const SET_MASTER_KEY = 'Set REDIAL_MASTER_KEY to the key of this log';

/** The keys in the store are wrapped by another master key than the set one, or none is set. */
export class MasterKeyRefused extends RedialError {
  constructor(why: string) {
    super('the keys of subjects cannot be opened', why, SET_MASTER_KEY);
  }
}

/** The store of keys has no keys of the log. */
export class NoKeys extends RedialError {
  constructor(location: string) {
    const fix = 'Name the store of keys of this log with --data-dir or DATABASE_URL';
    super('no key was changed', `${location} has no keys of this log`, fix);
  }
}

/** Opens the store of keys for one use. @throws StoreUnavailable */
export type WithKeyStore = <T>(use: (store: ReadStore) => Promise<T>) => Promise<T>;

/**
 * The keys of the subjects of one log, kept outside of it. A key is stored durably before it encrypts anything. Each call sees
 * the earlier writes of other processes.
 */
export class SubjectKeys implements KeySource {
  constructor(
    private readonly logId: string,
    private readonly master: MasterKey | undefined,
    private readonly withStore: WithKeyStore,
  ) {}

  /** Whether a master key is set, so that keys can be made. */
  get canMake(): boolean {
    return this.master !== undefined;
  }

  /** Checks that this master key opens the keys of the log, if it has any. @throws MasterKeyRefused @throws StoreUnavailable */
  check(): Promise<void> {
    return this.withStore(async (store) => {
      await store.write(createTables([subjectKeysTable, masterKeysTable]));
      this.#checkProof(await this.#proofIn(store));
    });
  }

  /** @throws KeyMissing for a key that another master key has wrapped @throws StoreUnavailable */
  find(subject: string): Promise<Uint8Array | typeof ERASED | undefined> {
    return this.withStore(async (store) => {
      await store.write(createTables([subjectKeysTable, masterKeysTable]));
      return this.#keyIn(store, subject);
    });
  }

  /**
   * The key of a subject. A new subject gets a new key: of several concurrent processes one makes it.
   * @throws MasterKeyRefused @throws KeyMissing @throws StoreUnavailable
   */
  make(subject: string): Promise<Uint8Array | typeof ERASED> {
    return this.withStore(async (store) => {
      await this.#add(store, [{ subject, key: randomBytes(BYTES_OF_KEY) }]);
      const key = await this.#keyIn(store, subject);
      if (key === undefined) throw new KeyMissing('no key was made', subject);
      return key;
    });
  }

  /**
   * Gives keys and tombstones to a copy of the log, wrapped for it: the copy has the same encrypted events. A repeat adds the
   * later ones.
   * @returns the number of keys that the copy has from this log
   * @throws MasterKeyRefused @throws KeyMissing @throws StoreUnavailable
   */
  async copyTo(copy: SubjectKeys): Promise<number> {
    const known = await this.withStore(async (store) => {
      await store.write(createTables([subjectKeysTable, masterKeysTable]));
      const rows = await this.#rowsIn(store);
      return rows.map(({ erasedAt, ...row }) => ({ ...row, erasedAt, key: this.#opened(row) }));
    });
    if (known.length === 0) return 0;
    await copy.withStore(async (store) => {
      const { logId } = copy;
      await store.write(createTables([subjectKeysTable, masterKeysTable]));
      const buried = known.flatMap(({ subject, erasedAt }) =>
        erasedAt === undefined ? [] : [bury({ logId, subject, erasedAt })],
      );
      // Tombstones are written first and without the master key: the copy may have another one by now.
      if (buried.length > 0) {
        await store.write(buried);
        await store.scrub?.();
      }
      await copy.#add(store, known);
    });
    return known.filter(({ key }) => key !== undefined).length;
  }

  /**
   * Destroys the key of a subject, and leaves a tombstone with the time of the first erasure. The same key in other logs of the
   * store, which are copies or originals of this one, is destroyed too: it opens the same events.
   * @returns that time; `undefined` for a subject without key and tombstone
   * @throws StoreUnavailable
   */
  erase(subject: string, at: string): Promise<string | undefined> {
    return this.#buried(subject, at, (store, row) => this.#logsWithKey(store, row));
  }

  /** As `erase`, for this log alone: for keys that belong to no subject. @throws StoreUnavailable */
  destroy(subject: string, at: string): Promise<string | undefined> {
    return this.#buried(subject, at, async () => []);
  }

  #buried(
    subject: string,
    at: string,
    alsoIn: (store: ReadStore, row: KeyRow) => Promise<readonly string[]>,
  ): Promise<string | undefined> {
    return this.withStore(async (store) => {
      await store.write(createTables([subjectKeysTable, masterKeysTable]));
      const { logId } = this;
      const row = await this.#rowIn(store, subject);
      if (!row) return undefined;
      const erasedAt = row.erasedAt ?? at;
      const logs = [logId, ...(await alsoIn(store, row))];
      await store.write(logs.map((log) => bury({ logId: log, subject, erasedAt })));
      await store.scrub?.();
      return erasedAt;
    });
  }

  /** The subjects among these that have a key. @throws StoreUnavailable */
  havingKeys(subjects: readonly string[]): Promise<readonly string[]> {
    return this.withStore(async (store) => {
      await store.write(createTables([subjectKeysTable]));
      const keys = await this.#wrappedIn(store, subjects);
      return keys.map(({ subject }) => subject);
    });
  }

  /**
   * Wraps the keys by another master key. A repeat, after a crash or an end, wraps the rest.
   * @returns the number of wrapped keys
   * @throws NoKeys @throws MasterKeyRefused @throws StoreUnavailable @throws KeyMissing for a key that neither wrapped: nothing is changed
   */
  rotate(next: MasterKey): Promise<number> {
    return this.withStore(async (store) => {
      const { master, logId } = this;
      if (!master) throw new MasterKeyRefused('no master key is set');
      await store.write(createTables([subjectKeysTable, masterKeysTable]));
      const [from, to] = [master.proofFor(logId), next.proofFor(logId)];
      const proof = await this.#proofIn(store);
      if (proof === undefined) throw new NoKeys(store.location);
      if (proof !== to) this.#checkProof(proof);
      if (proof === from)
        await store.write([
          asCondition(moveProof({ logId, from, to })),
          ...(await this.#rewrapped(store, next)),
        ]);
      // Keys that another process has made meanwhile.
      await store.write(await this.#rewrapped(store, next));
      await store.scrub?.();
      return (await this.#wrappedIn(store)).length;
    });
  }

  /** Adds keys and tombstones; existing ones stay. @throws MasterKeyRefused */
  async #add(
    store: ReadStore,
    known: readonly { readonly subject: string; readonly key?: Uint8Array; readonly erasedAt?: string }[],
  ): Promise<void> {
    const { master, logId } = this;
    if (!master) throw new MasterKeyRefused('no master key is set');
    await store.write(createTables([subjectKeysTable, masterKeysTable]));
    const proof = master.proofFor(logId);
    await store.write([addProof({ logId, proof })]);
    this.#checkProof(await this.#proofIn(store));
    await store.write([
      // Only while this is still the master key.
      asCondition(moveProof({ logId, from: proof, to: proof })),
      ...known.map(({ subject, key, erasedAt }) =>
        addKey({ logId, subject, erasedAt, wrapped: key && master.wrap(key, logId, subject) }),
      ),
    ]);
  }

  /** Other logs in which the subject has this key. */
  async #logsWithKey({ db }: ReadStore, { subject, wrapped }: KeyRow): Promise<readonly string[]> {
    const { master, logId } = this;
    const key = wrapped === undefined ? undefined : master?.unwrap(wrapped, logId, subject);
    if (!key) return [];
    const keys = db.withTables<KeyTables>().selectFrom('subject_keys_v1').selectAll();
    const rows = await keys.where('subject', '=', subject).where('log_id', '<>', logId).execute();
    const others = rows.map((row) => recordOf(subjectKeysTable, row));
    const sameAs = (other: KeyRow) => master?.unwrap(other.wrapped ?? '', other.logId, subject);
    return others.flatMap((other) => (sameAs(other)?.equals(key) ? [other.logId] : []));
  }

  /** The changes that wrap all keys by the next master key. */
  async #rewrapped(store: ReadStore, next: MasterKey): Promise<readonly Change[]> {
    const { logId } = this;
    const rows = await this.#wrappedIn(store);
    return rows.flatMap(({ subject, wrapped = '' }) => {
      if (next.unwrap(wrapped, logId, subject)) return [];
      const key = this.master?.unwrap(wrapped, logId, subject);
      if (!key) throw new KeyMissing('no key was changed', subject, 'another master key has wrapped its key');
      return [rewrap({ logId, subject, from: wrapped, to: next.wrap(key, logId, subject) })];
    });
  }

  /** @param subjects default: all */
  async #wrappedIn(store: ReadStore, subjects?: readonly string[]) {
    const rows = await this.#rowsIn(store, subjects);
    return rows.filter(({ wrapped }) => wrapped !== undefined);
  }

  async #rowsIn({ db }: ReadStore, subjects?: readonly string[]) {
    const keys = db.withTables<KeyTables>().selectFrom('subject_keys_v1').selectAll();
    const ofLog = keys.where('log_id', '=', this.logId);
    const rows = await (subjects ? ofLog.where('subject', 'in', subjects) : ofLog).execute();
    return rows.map((row) => recordOf(subjectKeysTable, row));
  }

  async #keyIn(store: ReadStore, subject: string): Promise<Uint8Array | typeof ERASED | undefined> {
    const row = await this.#rowIn(store, subject);
    return row && (this.#opened(row) ?? ERASED);
  }

  /** The key in a row; `undefined` for a tombstone. @throws KeyMissing */
  #opened({ subject, wrapped }: Pick<KeyRow, 'subject' | 'wrapped'>): Uint8Array | undefined {
    if (wrapped === undefined) return undefined;
    const key = this.master?.unwrap(wrapped, this.logId, subject);
    if (key) return key;
    const why = this.master ? 'another master key has wrapped its key' : 'no master key is set';
    throw new KeyMissing('its key cannot be opened', subject, why, SET_MASTER_KEY);
  }

  async #rowIn({ db }: ReadStore, subject: string) {
    const keys = db.withTables<KeyTables>().selectFrom('subject_keys_v1').selectAll();
    const row = await keys.where('log_id', '=', this.logId).where('subject', '=', subject).executeTakeFirst();
    return row && recordOf(subjectKeysTable, row);
  }

  async #proofIn({ db }: ReadStore): Promise<string | undefined> {
    const proofs = db.withTables<KeyTables>().selectFrom('master_keys_v1').selectAll();
    return (await proofs.where('log_id', '=', this.logId).executeTakeFirst())?.proof;
  }

  #checkProof(proof: string | undefined): void {
    if (proof === undefined || proof === this.master?.proofFor(this.logId)) return;
    throw new MasterKeyRefused(
      this.master ? 'they are wrapped by another master key' : 'no master key is set',
    );
  }
}
