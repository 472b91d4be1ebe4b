import type { Compilable, Kysely } from 'kysely';
import type { ReadSchema } from './read-schema.js';

export type SqlValue = string | number | null;
export type Values = { readonly [name: string]: SqlValue };

/** SQL with named gaps. A store compiles it once, in its own dialect. */
export interface Template {
  compile(db: Kysely<ReadSchema>): CompiledTemplate;
}

export interface CompiledTemplate {
  readonly sql: string;
  parametersOf(values: Values): SqlValue[];
}

/** A statement that writes, as data: a template, and what fills it. */
export interface Change {
  readonly template: Template;
  readonly values: Values;
  /** When it changes no row, nothing of its transaction is kept. */
  readonly condition?: true;
  /** The table or index that it makes. Two processes that start at once must not both do so. */
  readonly creates?: string;
}

/** Stands in a query where a value comes later. */
class Gap {
  constructor(readonly name: string) {}
}

/**
 * A kind of change. `build` runs once for each store; `values` are the values of each change and may be
 * used wherever the query takes a value.
 */
export function statement<V extends Values>(
  build: (db: Kysely<ReadSchema>, values: V) => Compilable,
): (values: V) => Change {
  const template: Template = { compile: (db) => compiled(build(db, gaps() as V)) };
  return (values) => ({ template, values });
}

/** The change as a condition of its transaction. */
export function asCondition(change: Change): Change {
  return { ...change, condition: true };
}

function gaps(): object {
  return new Proxy({}, { get: (_, name) => new Gap(String(name)) });
}

function compiled(query: Compilable): CompiledTemplate {
  const { sql, parameters } = query.compile();
  const names = parameters.map((parameter) => (parameter instanceof Gap ? parameter.name : undefined));
  const fixed = parameters as readonly SqlValue[];
  // Runs for every row of every event: a plain loop, and no look at a value but one.
  const parametersOf = (values: Values) => {
    const row = fixed.slice();
    for (let n = 0; n < names.length; n++) {
      const name = names[n];
      if (name === undefined) continue;
      const value = values[name];
      if (value === undefined) throw new TypeError(`A change has no value for ${name}.`);
      row[n] = value;
    }
    return row;
  };
  return { sql, parametersOf };
}
