import type { Measured } from './measure.js';

const COLUMNS = ['name', 'ours/s', 'bare/s', 'ratio', 'goal', '', 'compared: ours / bare'] as const;

/** A table for people. */
export function reportTable(all: readonly Measured[]): string {
  const rows = [COLUMNS, ...all.map(rowOf)];
  const widths = COLUMNS.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const lines = rows.map((row) => row.map((cell, column) => aligned(cell, column, widths)).join('  '));
  return `${lines.map((line) => line.trimEnd()).join('\n')}\n`;
}

function rowOf(measured: Measured): string[] {
  const { name, oursPerSecond, barePerSecond, ratio, goal, compared, unit } = measured;
  return [
    name,
    count(oursPerSecond),
    count(barePerSecond),
    ratio.toFixed(2),
    goal?.toFixed(2) ?? '–',
    goal === undefined ? '' : ratio >= goal ? 'met' : 'missed',
    `${unit}: ${compared}`,
  ];
}

function count(rate: number): string {
  return Math.round(rate).toLocaleString('en-US');
}

/** Numbers stand to the right. */
function aligned(cell: string, column: number, widths: readonly number[]): string {
  const width = widths[column] ?? 0;
  return column >= 1 && column <= 4 ? cell.padStart(width) : cell.padEnd(width);
}
