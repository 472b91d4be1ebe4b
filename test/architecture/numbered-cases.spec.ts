import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { sourceFiles } from './source-files.js';

const FIRST_TO_LAST = Array.from({ length: 45 }, (_, index) => index + 1);

it('every one of the 45 cases of the original specification has a test that carries its number', () => {
  const ladder = readFileSync(join(import.meta.dirname, '../e2e/ladder.stories.spec.ts'), 'utf8');
  const specs = [
    ...sourceFiles()
      .filter(({ isSpec }) => isSpec)
      .map(({ text }) => text),
    ladder,
  ];
  const numbers = new Set(
    specs.flatMap((text) => [...text.matchAll(/'case (\d+):/g)].map(([, number]) => Number(number))),
  );
  expect(FIRST_TO_LAST.filter((number) => !numbers.has(number))).toEqual([]);
});
