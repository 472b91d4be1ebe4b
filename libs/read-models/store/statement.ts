import type { Compilable, Kysely } from 'kysely';
import {
  type Column,
  columnOf,
  type Columns,
  type Input,
  memberOf,
  type Row,
  type SqlValue,
  storedIn,
} from './columns.js';
import type { ReadSchema } from './read-schema.js';

/** A record that fills the gaps of a template. */
export interface Values {
  readonly [member: string]: unknown;
}

/** SQL with named gaps. A store compiles it once, in its own dialect. */
export interface Template {
  compile(db: Kysely<ReadSchema>): CompiledTemplate;
}

export interface CompiledTemplate {
  readonly sql: string;
  parametersOf(values: Change['values']): SqlValue[];
}

/** A write as data: a template, and its values. */
export interface Change {
  readonly template: Template;
  /** One record, or one for each row of the template. */
  readonly values: Values | readonly Values[];
  /** If it changes no row, its transaction is rolled back. */
  readonly condition?: true;
  /** Other processes wait for it: a store that can notify them of its commit does so. */
  readonly awaited?: true;
  /** The log cannot restore it: the commit waits for the disk, and no other process sees it before. */
  readonly durable?: true;
  /** The table or index that it makes. Two concurrent processes must not both make it. */
  readonly creates?: string;
}

/** Marks the place of a later value in a query. */
class Gap {
  constructor(
    readonly member: string,
    private readonly column: Column,
    readonly row: number,
  ) {}

  storedOf(value: unknown): SqlValue {
    if (value !== undefined && value !== null) return storedIn(this.column, value);
    if (!this.column.isNullable) throw new TypeError(`A change has no value for ${this.member}.`);
    return null;
  }
}

/**
 * A kind of change. Its values are declared like columns: they are members of a record, and `build`, which runs once for each
 * store, uses them as stored values wherever a query takes a value.
 */
export function statement<const C extends Columns>(
  columns: C,
  build: (db: Kysely<ReadSchema>, values: Row<C>) => Compilable,
): (record: Input<C>) => Change {
  const template: Template = { compile: (db) => compiled(build(db, gapsOf(columns, 0))) };
  return (record) => ({ template, values: record });
}

/** The same for several records in one statement. */
export function statementOfRows<const C extends Columns>(
  columns: C,
  count: number,
  build: (db: Kysely<ReadSchema>, rows: readonly Row<C>[]) => Compilable,
): (records: readonly Input<C>[]) => Change {
  const rows = Array.from({ length: count }, (_, row) => gapsOf(columns, row));
  const template: Template = { compile: (db) => compiled(build(db, rows)) };
  return (records) => ({ template, values: records });
}

function gapsOf<C extends Columns>(columns: C, row: number): Row<C> {
  const gaps = Object.entries(columns).map(([name, column]) => [
    name,
    new Gap(memberOf(name), columnOf(column), row),
  ]);
  return Object.fromEntries(gaps) as Row<C>;
}

/** Makes a change durable, because the log cannot restore it. */
export function durable<Given>(make: (record: Given) => Change): (record: Given) => Change {
  return (record) => ({ ...make(record), durable: true });
}

/** The change as a condition of its transaction. */
export function asCondition(change: Change): Change {
  return { ...change, condition: true };
}

function compiled(query: Compilable): CompiledTemplate {
  const { sql, parameters } = query.compile();
  const places = new Map<Gap, number[]>();
  for (const [index, parameter] of parameters.entries()) {
    if (parameter instanceof Gap) places.set(parameter, [...(places.get(parameter) ?? []), index]);
  }
  const fixed = parameters as readonly SqlValue[];
  const gaps = [...places].map(([gap, at]) => ({ gap, at }));
  // Runs for every row of every event: plain loops, and a repeated value is encoded once.
  const parametersOf = (values: Change['values']) => {
    const all = fixed.slice();
    for (const { gap, at } of gaps) {
      const record = recordOf(values, gap.row);
      const stored = gap.storedOf(record?.[gap.member]);
      for (const index of at) all[index] = stored;
    }
    return all;
  };
  return { sql, parametersOf };
}

function recordOf(values: Change['values'], row: number): Values | undefined {
  return Array.isArray(values) ? (values as readonly Values[])[row] : (values as Values);
}

/** A change that has no values. */
export function ddl(sql: string): Change {
  return { template: { compile: () => ({ sql, parametersOf: () => [] }) }, values: {} };
}
