import type { Observation } from './comparison.js';
import type { Measured } from './measure.js';
import { isMissed, type Results } from './results.js';

type Row = readonly string[];

const COMPARED: Row = ['name', 'ours/s', 'bare/s', 'ratio', 'spread', 'goal', '', 'compared: ours / bare'];
const OBSERVED: Row = ['name', 'value', 'unit', 'at most', '', 'observed'];

/** Tables for people: the comparisons, then the observations, if any. */
export function reportTable({ measured, observations }: Results): string {
  const tables = [
    measured.length > 0 && tableOf([COMPARED, ...measured.map(comparedRow)], [1, 2, 3, 4, 5]),
    observations.length > 0 && tableOf([OBSERVED, ...observations.map(observedRow)], [1, 3]),
  ];
  return tables.filter(Boolean).join('\n');
}

function comparedRow(measured: Measured): Row {
  const { name, oursPerSecond, barePerSecond, ratio, spread, goal, compared, unit } = measured;
  return [
    name,
    count(oursPerSecond),
    count(barePerSecond),
    legible(ratio),
    spread.map(legible).join('–'),
    goal?.toFixed(2) ?? '–',
    goal === undefined ? '' : isMissed(measured) ? 'missed' : 'met',
    `${unit}: ${compared}`,
  ];
}

function observedRow(observation: Observation): Row {
  const { name, value, unit, atMost, observed } = observation;
  const verdict = atMost === undefined ? '' : isMissed(observation) ? 'missed' : 'met';
  return [name, legible(value), unit, atMost === undefined ? '–' : legible(atMost), verdict, observed];
}

function count(rate: number): string {
  return Math.round(rate).toLocaleString('en-US');
}

/** Two decimals; of a smaller value the first two digits. */
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
