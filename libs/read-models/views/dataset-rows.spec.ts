import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openMemoryReadStore } from '../store/open-sqlite-read-store.js';
import type { ReadStore } from '../store/read-store.js';
import { columnIs, dataset } from './dataset.js';
import { type DatasetFilter, datasetPages } from './dataset-rows.js';

const DAY_MS = 86_400_000;
const numbers = (most: number) =>
  `(with recursive counted(n) as (select 1 union all select n + 1 from counted where n < ${most}) select n from counted) c`;

/** One row for each number, an hour after the one before; its facts have this many characters. */
const facts = (most: number, characters: string) =>
  dataset({
    name: 'facts',
    about: 'Numbers',
    columns: { n: columnIs.number('n'), facts: columnIs.json('Facts') },
    parts: () => [
      {
        values: { n: 'c.n', facts: `printf('"%.*c"', ${characters}, 'x')` },
        from: numbers(most),
        where: 'c.n > 1',
        key: 'c.n',
        time: 'c.n * 3600000',
        machine: "case when c.n % 2 = 0 then 'even' else 'odd' end",
      },
    ],
  });

describe('the pages of a dataset', () => {
  let store: ReadStore;
  beforeAll(() => {
    store = openMemoryReadStore();
  });
  afterAll(() => store.close());

  const pagesOf = async (of: Parameters<typeof datasetPages>[1], filter: DatasetFilter = {}) => {
    const pages: (readonly object[])[] = [];
    for await (const page of datasetPages(store, of, filter)) pages.push(page);
    return pages;
  };
  const numbersIn = (pages: readonly (readonly object[])[]) =>
    pages.flat().map((row) => (row as { n: number }).n);

  it('have every row once, in the order of the key, at most 1,000 in a page', async () => {
    const pages = await pagesOf(facts(2_500, '1'));
    expect(pages.map(({ length }) => length)).toEqual([1_000, 1_000, 499]);
    expect(numbersIn(pages)).toEqual(Array.from({ length: 2_499 }, (_, index) => index + 2));
  });

  it('have at most a mebibyte of facts, and one row in any case', async () => {
    const pages = await pagesOf(facts(12, 'case when c.n = 6 then 3000000 else 300000 end'));
    expect(pages.map(({ length }) => length)).toEqual([3, 1, 1, 3, 3]);
    expect(numbersIn(pages)).toHaveLength(11);
  });

  it('have the rows of a span of time, and of a machine', async () => {
    const filter = { from: '1970-01-01T10:00:00Z', to: '1970-01-01T20:00:00Z' };
    expect(numbersIn(await pagesOf(facts(50, '1'), { ...filter, machineName: 'odd' }))).toEqual([
      11, 13, 15, 17, 19,
    ]);
  });

  it('of sums are days: those without a row are passed over', async () => {
    const sums = dataset({
      name: 'sums',
      about: 'Sums',
      columns: { day: columnIs.text('The day'), rows: columnIs.number('How many') },
      parts: (words) => [
        {
          values: { day: words.day('c.n * 3600000'), rows: 'count(*)' },
          from: numbers(100),
          where: 'c.n < 30 or c.n > 80',
          key: 'c.n',
          time: 'c.n * 3600000',
          groupBy: ['day'],
        },
      ],
    });
    const pages = await pagesOf(sums, { to: new Date(4 * DAY_MS).toISOString() });
    expect(pages).toEqual([
      [{ day: '1970-01-01', rows: 23 }],
      [{ day: '1970-01-02', rows: 6 }],
      [{ day: '1970-01-04', rows: 15 }],
    ]);
  });
});
