import { RedialError } from '#lib/kernel';
import { type Column, columnOf, memberOf, type SqlValue, storedIn } from '../store/columns.js';
import { type Table, table } from '../store/table.js';
import type { StoredRecord } from './cache.js';

/** A fold gave a row without a value for one of its columns. */
class ValueMissing extends RedialError {}

interface Field {
  readonly name: string;
  readonly member: string;
  readonly column: Column;
}

/** A table whose records hold stored values. */
type StoredTable = Table<string, { readonly [column: string]: Column<SqlValue, SqlValue, SqlValue> }>;

/** The name of a table in a slot. It ends in its version, like every table's. */
export function tableIn(slot: string, name: string): string {
  return name.replace(/(_v\d+)$/, `_${slot}$1`);
}

/** Converts records of a table to the values of their rows and back, with hidden columns. */
export class RecordCodec {
  /** The table under its name in the slot. */
  readonly stored: StoredTable;
  readonly #fields: readonly Field[];

  constructor({ name, columns, primaryKey, indexes }: Table, slot: string) {
    this.#fields = Object.entries(columns).map(([column, declared]) => ({
      name: column,
      member: memberOf(column),
      column: columnOf(declared),
    }));
    const plain = this.#fields.map(({ name: column, column: { type, isNullable = false } }) => [
      column,
      { type, isNullable },
    ]);
    this.stored = table(
      tableIn(slot, name),
      Object.fromEntries(plain) as StoredTable['columns'],
      primaryKey,
      indexes,
    );
  }

  /** @throws ValueMissing */
  storedOf(record: object): StoredRecord {
    const given = record as Readonly<Record<string, unknown>>;
    const stored: Record<string, StoredRecord[string]> = {};
    for (const { member, column } of this.#fields)
      stored[member] = this.#stored(column, member, given[member]);
    return stored;
  }

  recordOf(row: StoredRecord): { readonly doc: object; readonly stored: StoredRecord } {
    const doc: Record<string, unknown> = {};
    const stored: Record<string, StoredRecord[string]> = {};
    for (const { name, member, column } of this.#fields) {
      const value = row[name] ?? null;
      stored[member] = value;
      if (value === null ? column.showsNull : true)
        doc[member] = value !== null && column.fromStored ? column.fromStored(value) : value;
    }
    return { doc, stored };
  }

  #stored(column: Column, member: string, value: unknown): StoredRecord[string] {
    if (value !== undefined && value !== null) return storedIn(column, value);
    if (column.isNullable) return null;
    if (column.absent !== undefined) return column.absent;
    throw new ValueMissing(`row of ${this.stored.name}`, `it has no value for ${member}`, 'Report it');
  }
}
