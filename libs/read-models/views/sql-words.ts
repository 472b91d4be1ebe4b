/** The expressions that differ between databases. Arguments and results are SQL. */
export interface SqlWords {
  /** The text of a stored id. */
  id(column: string): string;
  /** ISO 8601 in UTC, of epoch milliseconds. */
  time(ms: string): string;
  /** The UTC day of epoch milliseconds: `2026-01-31`. */
  day(ms: string): string;
  /** A member of JSON text, as text. */
  text(json: string, member: string): string;
  /** A member of JSON text, as a number. */
  number(json: string, member: string): string;
  /** The name of a view for analysts. */
  view(name: string): string;
  /** A query of the names of all tables. */
  readonly tables: string;
  /** Removes a table, and the views that read it. */
  dropTable(name: string): string;
}

/** A UUID is stored as 16 bytes, another text as its bytes after 17 others. */
const OTHER_TEXT_FROM = 18;

/**
 * The rows of a view are computed at each read: `date` and parts of bytes take a third to two thirds of the time of `strftime`
 * and of parts of texts.
 */
export const sqliteWords: SqlWords = {
  id: (column) => {
    const hex = (from: number, bytes: number) => `hex(substr(${column}, ${from}, ${bytes}))`;
    const parts = [hex(1, 4), hex(5, 2), hex(7, 2), hex(9, 2), hex(11, 6)].join(" || '-' || ");
    return `case when length(${column}) = 16 then lower(${parts}) else cast(substr(${column}, ${OTHER_TEXT_FROM}) as text) end`;
  },
  time: (ms) =>
    `replace(datetime(${ms} / 1000, 'unixepoch'), ' ', 'T') || '.' || substr(1000 + ${ms} % 1000, 2) || 'Z'`,
  day: (ms) => `date(${ms} / 1000, 'unixepoch')`,
  text: (json, member) => `json_extract(${json}, '$.${member}')`,
  number: (json, member) => `json_extract(${json}, '$.${member}')`,
  view: (name) => `"${name}"`,
  tables: "select name from sqlite_master where type = 'table' and name not like 'sqlite%'",
  // A view may read tables that do not exist.
  dropTable: (name) => `drop table if exists "${name}"`,
};

/** The JSON text without NUL and unpaired surrogates: PostgreSQL unescapes all texts to find a member, and cannot hold these. */
const unescapable = (json: string) =>
  String.raw`regexp_replace(${json}, '(\\\\)|\\u(?:0000|d[89a-f][0-9a-f]{2})', '\1', 'g')`;

const instant = (ms: string) => `timestamp '1970-01-01' + ${ms} * interval '1 millisecond'`;

/** @param schema of the views */
export function postgresWords(schema: string): SqlWords {
  return {
    id: (column) =>
      `case when length(${column}) = 16 then encode(${column}, 'hex')::uuid::text else convert_from(substr(${column}, ${OTHER_TEXT_FROM}), 'UTF8') end`,
    time: (ms) => `to_char(${instant(ms)}, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
    day: (ms) => `to_char(${instant(ms)}, 'YYYY-MM-DD')`,
    text: (json, member) => `${unescapable(json)}::json ->> '${member}'`,
    number: (json, member) => `(${json}::json ->> '${member}')::double precision`,
    view: (name) => `"${schema}"."${name}"`,
    tables: 'select tablename as name from pg_tables where schemaname = current_schema()',
    dropTable: (name) => `drop table if exists "${name}" cascade`,
  };
}
