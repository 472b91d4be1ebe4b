import { expect, it } from '@jest/globals';
import { sourceFiles, sourcesBelow } from './source-files.js';

const ROWS_OF_CODE = [...numbers(1, 17), ...numbers(20, 26), ...numbers(30, 37), ...numbers(40, 48)];
const LATER_ROWS_OF_CODE = ['61', '63', '66', '67'];

function numbers(first: number, last: number): readonly number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

const rows = (kind: string, count: number) => numbers(1, count).map((number) => `${kind}${number}`);

/** The part of a title before its first colon, if it is a list of numbers, such as `case 3, D-3`. */
const HEAD = /['"`]((?:(?:case )?[\w.-]*\d(?:,? |(?=:)))+): /g;

const numbered = new Set(
  [...sourceFiles(), ...sourcesBelow('test')]
    .filter(({ isSpec, isTesting }) => isSpec || isTesting)
    .flatMap(({ text }) => [...text.matchAll(HEAD)])
    .flatMap(([, head = '']) => head.match(/case \d+|[^\s,]+/g) ?? []),
);

it.each<[string, readonly string[]]>([
  ['of the 45 cases of the original specification', rows('case ', 45)],
  ['of the specification of decisions', rows('D-', 52)],
  ['of the specification of the planner', rows('P-', 10)],
  ['of the specification of agents and conversations', rows('F-', 66)],
  [
    'of the specification of code as action',
    [...ROWS_OF_CODE.map((row) => `L-${row}`), ...LATER_ROWS_OF_CODE],
  ],
])('every row %s has a test that carries its number', (_, expected) => {
  expect(expected.filter((row) => !numbered.has(row))).toEqual([]);
});
