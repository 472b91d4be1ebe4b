import { type Dataset, type DatasetRow, memberOf, textFromStored } from '#lib/read-models';

export type ExportFormat = 'csv' | 'jsonl';

export const MEDIA_TYPES: { readonly [format in ExportFormat]: string } = {
  csv: 'text/csv',
  jsonl: 'application/x-ndjson',
};

type Value = Exclude<DatasetRow[string], null>;
type Type = Dataset['columns'][string]['type'];

const TEXT = { json: (value: Value) => JSON.stringify(textFrom(value)), cell: textFrom };

/** The text of a value by its type: as JSON, and as a cell of CSV before quoting. */
const FORMS: {
  readonly [type in Type]: {
    readonly json: (value: Value) => string;
    readonly cell: (value: Value) => string;
  };
} = {
  id: TEXT,
  text: TEXT,
  number: { json: String, cell: String },
  flag: { json: flagFrom, cell: flagFrom },
  json: { json: String, cell: String },
};

function textFrom(value: Value): string {
  return textFromStored(String(value));
}

function flagFrom(value: Value): string {
  return Number(value) === 1 ? 'true' : 'false';
}

/** Writes rows in one format. */
export interface RowWriter {
  /** The text before the first row. */
  readonly head: string;
  readonly lines: (rows: readonly DatasetRow[]) => string;
}

/** Columns are named as members. @param without columns that are left out */
export function rowWriter(
  { columns }: Dataset,
  format: ExportFormat,
  without: readonly string[] = [],
): RowWriter {
  const shown = Object.entries(columns).filter(([column]) => !without.includes(column));
  return (format === 'csv' ? csvWriter : jsonWriter)(
    shown.map(([column, { type }]) => [column, FORMS[type]]),
  );
}

type Shown = readonly (readonly [column: string, form: (typeof FORMS)[Type]])[];

/** Every line has the same members: an unknown value is null. */
function jsonWriter(shown: Shown): RowWriter {
  const members = shown.map(([column, { json }]) => {
    const name = `${JSON.stringify(memberOf(column))}:`;
    return (row: DatasetRow) => name + written(row[column], json, 'null');
  });
  const line = (row: DatasetRow) => `{${members.map((member) => member(row)).join(',')}}\n`;
  return { head: '', lines: (rows) => rows.map(line).join('') };
}

/** An unknown value is an empty cell. */
function csvWriter(shown: Shown): RowWriter {
  const line = (row: DatasetRow) =>
    `${shown.map(([column, { cell }]) => quoted(written(row[column], cell, ''))).join(',')}\n`;
  const head = `${shown.map(([column]) => memberOf(column)).join(',')}\n`;
  return { head, lines: (rows) => rows.map(line).join('') };
}

function written(
  value: DatasetRow[string] | undefined,
  write: (value: Value) => string,
  absent: string,
): string {
  return value === null || value === undefined ? absent : write(value);
}

const QUOTED = /[",\r\n]/;
/** The first characters that make a spreadsheet read a cell as a formula. */
const FORMULA = /^[=+\-@]/;

function quoted(cell: string): string {
  const safe = FORMULA.test(cell) ? `'${cell}` : cell;
  return QUOTED.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
