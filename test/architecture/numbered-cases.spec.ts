import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { sourceFiles } from './source-files.js';

const ROWS_OF_CODE = [...numbers(1, 17), ...numbers(20, 26), ...numbers(30, 37), ...numbers(40, 48)];
const LATER_ROWS_OF_CODE = ['61', '63', '66', '67'];

function numbers(first: number, last: number): readonly number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

const inTest = (file: string) => readFileSync(join(import.meta.dirname, '../e2e', file), 'utf8');
const specs = () => sourceFiles().flatMap(({ isSpec, text }) => (isSpec ? [text] : []));

it('every one of the 45 cases of the original specification has a test that carries its number', () => {
  const texts = [...specs(), inTest('ladder.stories.spec.ts')];
  const found = new Set(
    texts.flatMap((text) => [...text.matchAll(/'case (\d+):/g)].map(([, number]) => Number(number))),
  );
  expect(numbers(1, 45).filter((number) => !found.has(number))).toEqual([]);
});

it('every row of the specification of code as action has a test that carries its number', () => {
  const texts = [...specs(), inTest('code.spec.ts')];
  const heads = texts.flatMap((text) => text.match(/'(?:(?:L-)?\d+ )*(?:L-)?\d+:/g) ?? []);
  const found = new Set(heads.flatMap((head) => head.match(/(?:L-)?\d+/g) ?? []));
  const rows = [...ROWS_OF_CODE.map((row) => `L-${row}`), ...LATER_ROWS_OF_CODE];
  expect(rows.filter((row) => !found.has(row))).toEqual([]);
});
