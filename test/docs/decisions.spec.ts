import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';

const FOLDER = join(import.meta.dirname, '../../docs/decisions');
const files = readdirSync(FOLDER).toSorted();

const linesOf = (file: string) => readFileSync(join(FOLDER, file), 'utf8').split('\n');

// Numbers are reserved before a decision is written, so that there may be gaps.
it('each number of a decision is used once', () => {
  const numbers = files.map((file) => file.slice(0, 3));
  expect(numbers).toEqual([...new Set(numbers)]);
  expect(numbers.filter((number) => !/^\d{3}$/.test(number))).toEqual([]);
});

it.each(files)('%s has its number in its heading, its date and its status', (file) => {
  const [heading, , date, status] = linesOf(file);
  expect(heading).toMatch(new RegExp(`^# ${file.slice(0, 3)}: `));
  expect(date).toMatch(/^Date: \d{4}-\d\d-\d\d\.$/);
  expect(status).toMatch(/^Status: (accepted|replaced by)\b.*\.$/);
});
