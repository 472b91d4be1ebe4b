import type { Observation } from './comparison.js';
import type { Measured } from './measure.js';
import type { Results } from './results.js';

type Row = readonly string[];

const COMPARED: Row = ['name', 'ours/s', 'bare/s', 'ratio', 'goal', '', 'compared: ours / bare'];
const OBSERVED: Row = ['name', 'value', 'unit', 'observed'];

/** Tables for people: the comparisons, then what was observed, where there is any of it. */
export function reportTable({ measured, observations }: Results): string {
  const tables = [
    measured.length > 0 && tableOf([COMPARED, ...measured.map(comparedRow)], [1, 2, 3, 4]),
    observations.length > 0 && tableOf([OBSERVED, ...observations.map(observedRow)], [1]),
  ];
  return tables.filter(Boolean).join('\n');
}

function comparedRow(measured: Measured): Row {
  const { name, oursPerSecond, barePerSecond, ratio, goal, compared, unit } = measured;
  return [
    name,
    count(oursPerSecond),
    count(barePerSecond),
    legible(ratio),
    goal?.toFixed(2) ?? '–',
    goal === undefined ? '' : ratio >= goal ? 'met' : 'missed',
    `${unit}: ${compared}`,
  ];
}

function observedRow({ name, value, unit, observed }: Observation): Row {
  return [name, legible(value), unit, observed];
}

function count(rate: number): string {
  return Math.round(rate).toLocaleString('en-US');
}

/** Two decimals, and of what is too small for them the first two digits. */
function legible(value: number): string {
  return value !== 0 && Math.abs(value) < 0.01 ? value.toPrecision(2) : value.toFixed(2);
}

/** @param toTheRight columns of numbers */
function tableOf(rows: readonly Row[], toTheRight: readonly number[]): string {
  const [head = []] = rows;
  const widths = head.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const lines = rows.map((row) => {
    const cells = row.map((cell, column) => {
      const width = widths[column] ?? 0;
      return toTheRight.includes(column) ? cell.padStart(width) : cell.padEnd(width);
    });
    return cells.join('  ').trimEnd();
  });
  return `${lines.join('\n')}\n`;
}
