import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';

const FOLDER = join(import.meta.dirname, '../../docs/decisions');
const files = readdirSync(FOLDER).toSorted();

it('decisions are numbered in turn, each number once', () => {
  const numbers = files.map((file) => Number(file.slice(0, 3)));
  expect(numbers).toEqual(numbers.map((_, index) => index + 1));
});

it.each(files)('%s has its number in its heading', (file) => {
  const [heading = ''] = readFileSync(join(FOLDER, file), 'utf8').split('\n');
  expect(heading).toMatch(new RegExp(`^# ${file.slice(0, 3)}: `));
});
