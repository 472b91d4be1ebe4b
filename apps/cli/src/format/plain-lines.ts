import { isJsonObject } from '#lib/kernel';
import { oneLine } from './one-line.js';
import { table } from './table.js';

/** The default format of an answer: a table of a list, a line for each member of an object, text unchanged. */
export function plainLines(value: unknown): readonly string[] {
  if (value === null || value === undefined) return [];
  if (typeof value === 'string') return value.trimEnd().split('\n');
  if (!isJsonObject(value)) return [JSON.stringify(value)];
  return Array.isArray(value['items']) ? listLines(value['items']) : memberLines(value);
}

function memberLines(value: object): readonly string[] {
  const members = Object.entries(value);
  const width = Math.max(...members.map(([name]) => name.length));
  return members.map(([name, member]) => `${name.padEnd(width)}  ${cell(member)}`);
}

function listLines(items: readonly unknown[]): readonly string[] {
  if (items.length === 0) return ['none'];
  const rows = items.map((item) => (isJsonObject(item) ? item : { value: item }));
  const titles = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const cells = rows.map((row) =>
    titles.map((title) => cell((row as Readonly<Record<string, unknown>>)[title])),
  );
  return table(
    titles.map((title) => ({ title })),
    cells,
  );
}

function cell(value: unknown): string {
  if (value === undefined || value === null) return '-';
  return oneLine(typeof value === 'string' ? value : JSON.stringify(value), 120);
}
