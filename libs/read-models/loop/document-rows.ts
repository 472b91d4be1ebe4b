import { type Kysely, sql } from 'kysely';
import { RedialError } from '#lib/kernel';
import { columnOf, memberOf, type SqlValue, storedIn } from '../store/columns.js';
import type { ReadSchema } from '../store/read-schema.js';
import { deleteRow, insertRow, updateRow } from '../store/row-changes.js';
import type { Change } from '../store/statement.js';
import { Cache, type Entry, type StoredRecord } from './cache.js';
import type { Documents } from './declare.js';
import { RecordCodec } from './record-codec.js';

/** A fold accessed a document that its needs do not name: a bug of the fold. */
class DocumentNotLoaded extends RedialError {}

const MOST_CACHED_BYTES = 8 * 1024 * 1024;
/** Documents that one statement loads. */
const LOADED_AT_ONCE = 64;
/** The most statements for sets of columns. Beyond that all columns are set. */
const MOST_UPDATES = 16;

/** The documents of one kind: in memory, and the changes of a page to their rows. */
export class DocumentRows {
  readonly #codec: RecordCodec;
  readonly #cache = new Cache<object>(MOST_CACHED_BYTES);
  readonly #insert: (record: StoredRecord) => Change;
  readonly #delete: (record: StoredRecord) => Change;
  readonly #updates = new Map<string, (record: StoredRecord) => Change>();
  readonly #idMember: string;
  /** All columns but the id. */
  readonly #changing: readonly { readonly name: string; readonly member: string }[];
  #changed: Entry<object>[] = [];

  constructor(
    readonly kind: Documents,
    slot: string,
  ) {
    this.#codec = new RecordCodec(kind.table, slot);
    this.#idMember = memberOf(kind.id);
    const names = Object.keys(kind.table.columns).filter((name) => name !== kind.id);
    this.#changing = names.map((name) => ({ name, member: memberOf(name) }));
    this.#insert = insertRow(this.#codec.stored);
    this.#delete = deleteRow(this.#codec.stored, [kind.id]);
  }

  get table() {
    return this.#codec.stored;
  }

  isKnown(id: string): boolean {
    return this.#cache.get(id) !== undefined;
  }

  /** No row has this id: its stream begins. */
  expectNone(id: string): void {
    if (!this.isKnown(id)) this.#cache.set(emptyEntry(id));
  }

  /** Reads documents into memory. @throws StoreUnavailable */
  async load(db: Kysely<ReadSchema>, ids: readonly string[]): Promise<void> {
    for (let from = 0; from < ids.length; from += LOADED_AT_ONCE) {
      await this.#loadSome(db, ids.slice(from, from + LOADED_AT_ONCE));
    }
  }

  see(id: string): object | undefined {
    return this.#entry(id).doc;
  }

  change(id: string): object | undefined {
    const entry = this.#entry(id);
    if (entry.doc) this.#mark(entry);
    return entry.doc;
  }

  put(doc: object): void {
    const entry = this.#entry((doc as Readonly<Record<string, string>>)[this.#idMember] ?? '');
    this.#mark(entry);
    entry.doc = doc;
  }

  drop(id: string): void {
    const entry = this.#entry(id);
    if (!entry.doc) return;
    this.#mark(entry);
    entry.doc = undefined;
  }

  /** The changes of the page. @throws ValueMissing */
  changes(): readonly Change[] {
    return this.#changed.flatMap((entry) => this.#changesOf(entry));
  }

  /** The page is stored. */
  kept(): void {
    for (const entry of this.#changed) {
      entry.isChanged = false;
      entry.stored = entry.next;
      entry.next = undefined;
      if (entry.doc && this.kind.isAtRest?.(entry.doc as never)) this.#cache.delete(entry.id);
      else this.#cache.set(entry);
    }
    this.#changed = [];
    this.#cache.trim();
  }

  /** Drops the changes of the page; the changed documents are loaded again. */
  undone(): void {
    for (const { id } of this.#changed) this.#cache.delete(id);
    this.#changed = [];
  }

  /** Empties memory: the rows may have changed. */
  forget(): void {
    this.#changed = [];
    this.#cache.clear();
  }

  async #loadSome(db: Kysely<ReadSchema>, ids: readonly string[]): Promise<void> {
    const { name, columns } = this.table;
    const column = columnOf(this.kind.table.columns[this.kind.id] ?? columns[this.kind.id] ?? 'text');
    const stored = padded(ids).map((id) => storedIn(column, id));
    const { rows } = await sql<StoredRecord>`
      select * from ${sql.table(name)} where ${sql.ref(this.kind.id)} in (${sql.join(stored)})`.execute(db);
    for (const id of ids) this.expectNone(id);
    for (const row of rows) {
      const { doc, stored: values } = this.#codec.recordOf(row);
      const id = String((doc as Readonly<Record<string, unknown>>)[this.#idMember]);
      this.#cache.set({ ...emptyEntry(id), doc, stored: values });
    }
  }

  #entry(id: string): Entry<object> {
    const entry = this.#cache.get(id);
    if (entry) return entry;
    throw new DocumentNotLoaded(
      `document ${id} of ${this.kind.table.name}`,
      'the event that is folded does not ask for it',
      'Name it in the needs of the fold',
    );
  }

  #mark(entry: Entry<object>): void {
    if (entry.isChanged) return;
    entry.isChanged = true;
    this.#changed.push(entry);
  }

  #changesOf(entry: Entry<object>): readonly Change[] {
    const { doc, stored } = entry;
    entry.next = doc && this.#codec.storedOf(doc);
    if (!entry.next) return stored ? [this.#delete(stored)] : [];
    return stored ? this.#updateOf(stored, entry.next) : [this.#insert(entry.next)];
  }

  /** Sets only columns that differ: SQLite writes the index of a set column even for an equal value. */
  #updateOf(before: StoredRecord, after: StoredRecord): readonly Change[] {
    const differing = this.#changing
      .filter(({ member }) => !isSame(before[member], after[member]))
      .map(({ name }) => name);
    if (differing.length === 0) return [];
    const set =
      this.#updates.has(differing.join()) || this.#updates.size < MOST_UPDATES
        ? differing
        : this.#changing.map(({ name }) => name);
    const key = set.join();
    const update = this.#updates.get(key) ?? updateRow(this.table, [this.kind.id], set);
    this.#updates.set(key, update);
    return [update(after)];
  }
}

function emptyEntry(id: string): Entry<object> {
  return { id, doc: undefined, stored: undefined, next: undefined, isChanged: false };
}

function isSame(one: SqlValue | undefined, other: SqlValue | undefined): boolean {
  return Buffer.isBuffer(one) && Buffer.isBuffer(other) ? one.equals(other) : one === other;
}

/** Padded to a power of two, so that few statements are prepared. */
function padded(ids: readonly string[]): readonly string[] {
  const last = ids.at(-1) ?? '';
  const size = 2 ** Math.ceil(Math.log2(Math.max(1, ids.length)));
  return [...ids, ...Array.from({ length: size - ids.length }, () => last)];
}
