import { isJsonObject, oneLine } from '#lib/kernel';

type Cell = string | number | null | undefined;

/** The cell of an item in each column, by the title of the column. */
export type Columns<Item> = Readonly<Record<string, (item: Item) => Cell>>;

const NUMBER = /^(?:[-?]|\d[\d.]*(?: %)?)$/;

/**
 * Items under titles, each column as wide as its widest cell, indented by two. A column of numbers is aligned right; an unknown value is
 * `-`.
 * @param none the one line for no items
 */
export function table<Item>(
  columns: Columns<Item>,
  items: readonly Item[],
  none = 'none',
): readonly string[] {
  if (items.length === 0) return [none];
  const shown = Object.entries(columns).map(([title, cell]) => column(title, items.map(cell).map(textOf)));
  return [-1, ...items.keys()].map((row) =>
    `  ${shown.map((cells) => cells[row + 1] ?? '').join('  ')}`.trimEnd(),
  );
}

/** Title and cells in one width. */
function column(title: string, cells: readonly string[]): readonly string[] {
  const isRight = cells.every((cell) => NUMBER.test(cell));
  const widest = Math.max(...[title, ...cells].map(width));
  return [title, ...cells].map((cell) => {
    const blanks = ' '.repeat(widest - width(cell));
    return isRight ? blanks + cell : cell + blanks;
  });
}

/** A line for each member that is not `undefined`, the values below each other. */
export function members(values: Readonly<Record<string, Cell>>, indent = '  '): readonly string[] {
  const known = Object.entries(values).filter(([, value]) => value !== undefined);
  const widest = Math.max(...known.map(([name]) => name.length));
  return known.map(([name, value]) => `${indent}${name.padEnd(widest)}  ${textOf(value)}`);
}

/** Lines under a heading; no line if there are no lines. */
export function part(
  heading: string,
  items: readonly unknown[],
  lines: readonly string[],
): readonly string[] {
  return items.length === 0 ? [] : ['', heading, ...lines];
}

/** The default format of an answer: a table of a list, a line for each member of an object, text unchanged. */
export function plainLines(value: unknown): readonly string[] {
  if (value === null || value === undefined) return [];
  if (typeof value === 'string') return value.trimEnd().split('\n');
  if (!isJsonObject(value)) return [JSON.stringify(value)];
  const { items } = value;
  if (!Array.isArray(items))
    return members(Object.fromEntries(Object.entries(value).map(([name, one]) => [name, cellOf(one)])), '');
  const rows = items.map((item) => (isJsonObject(item) ? item : { value: item }));
  const titles = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  return table(
    Object.fromEntries(titles.map((title) => [title, (row: object) => cellOf(Reflect.get(row, title))])),
    rows,
  );
}

function cellOf(value: unknown): Cell {
  if (value === undefined || value === null) return null;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function textOf(cell: Cell): string {
  return oneLine(String(cell ?? '-'), 140);
}

function width(text: string): number {
  return Array.from(text).length;
}
