import { memberOf, type SqlValue } from '../store/columns.js';
import { insertRows, mergeRow } from '../store/row-changes.js';
import type { Change } from '../store/statement.js';
import type { StoredRecord } from './cache.js';
import type { Facts, Totals } from './declare.js';
import { RecordCodec } from './record-codec.js';

/** The added facts of one kind in a page. */
export class FactRows {
  readonly #codec: RecordCodec;
  readonly #insert: (records: readonly StoredRecord[]) => readonly Change[];
  #added: object[] = [];

  constructor(kind: Facts, slot: string) {
    this.#codec = new RecordCodec(kind.table, slot);
    this.#insert = insertRows(this.#codec.stored, kind.once);
  }

  get table() {
    return this.#codec.stored;
  }

  add(row: object): void {
    this.#added.push(row);
  }

  /** @throws ValueMissing */
  changes(): readonly Change[] {
    return this.#insert(this.#added.map((row) => this.#codec.storedOf(row)));
  }

  clear(): void {
    this.#added = [];
  }
}

type Row = Record<string, SqlValue>;

/** The added sums of one kind in a page. */
export class TotalRows {
  readonly #codec: RecordCodec;
  readonly #merge: (record: StoredRecord) => Change;
  readonly #key: readonly string[];
  readonly #add: readonly string[];
  readonly #highest: readonly string[];
  readonly #replace: readonly string[];
  #sums = new Map<string, Row>();

  constructor(kind: Totals, slot: string) {
    this.#codec = new RecordCodec(kind.table, slot);
    const { add, highest, replace } = kind;
    this.#merge = mergeRow(this.#codec.stored, { add, highest, replace });
    this.#key = kind.table.primaryKey.map(memberOf);
    [this.#add, this.#highest, this.#replace] = [
      add.map(memberOf),
      highest.map(memberOf),
      replace.map(memberOf),
    ];
  }

  get table() {
    return this.#codec.stored;
  }

  /** @throws ValueMissing */
  count(row: object): void {
    const added = row as Readonly<Record<string, unknown>>;
    let key = '';
    for (const member of this.#key) key += `${String(added[member])}\0`;
    const sum = this.#sums.get(key);
    // Only the first row of a key is encoded whole: added columns are plain numbers.
    if (!sum) return void this.#sums.set(key, { ...this.#codec.storedOf(row) });
    for (const member of this.#add) sum[member] = numberIn(sum[member]) + numberIn(added[member]);
    for (const member of this.#highest)
      sum[member] = Math.max(numberIn(sum[member]), numberIn(added[member]));
    if (this.#replace.length === 0) return;
    const stored = this.#codec.storedOf(row);
    for (const member of this.#replace) sum[member] = stored[member] ?? null;
  }

  changes(): readonly Change[] {
    return [...this.#sums.values()].map((sum) => this.#merge(sum));
  }

  clear(): void {
    this.#sums.clear();
  }
}

function numberIn(value: unknown): number {
  return Number(value ?? 0);
}
