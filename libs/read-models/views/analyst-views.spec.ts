import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { temporaryFolder } from '#lib/kernel/testing';
import { openMemoryReadStore, openSqliteReadStore } from '../store/open-sqlite-read-store.js';
import type { ReadStore } from '../store/read-store.js';
import { serveViews } from './analyst-views.js';
import { columnIs, dataset } from './dataset.js';

const answers = (value: number) =>
  dataset({
    name: 'answers',
    about: 'One row',
    columns: { answer: columnIs.number('The answer') },
    parts: () => [
      { values: { answer: String(value) }, from: '(select 1)', where: 'true', key: '1', time: '0' },
      { values: { answer: 'null' }, from: '(select 1)', where: 'false', key: '1', time: '0' },
    ],
  });

let store: ReadStore;
let writes: number;

beforeEach(async () => {
  const opened = await openSqliteReadStore(join(temporaryFolder(), 'read.sqlite'));
  writes = 0;
  const write: ReadStore['write'] = async (changes) => {
    const isKept = await opened.write(changes);
    if (isKept && changes.length > 2) writes += 1;
    return isKept;
  };
  store = Object.assign(Object.create(opened) as ReadStore, {
    write,
    db: opened.db,
    close: () => opened.close(),
  });
});
afterEach(() => store.close());

const seen = async () =>
  (await sql<{ answer: number }>`select answer from redial_answers`.execute(store.db)).rows;

it('views are made of the rows of a build, and a start without a change makes none', async () => {
  await serveViews(store, [answers(1)]);
  await serveViews(store, [answers(1)]);
  expect([await seen(), writes]).toEqual([[{ answer: 1 }], 1]);
});

it('the views of another build take their places', async () => {
  await serveViews(store, [answers(1)]);
  await serveViews(store, [answers(2)]);
  expect(await seen()).toEqual([{ answer: 2 }]);
});

it('processes that start together make them once', async () => {
  await Promise.all([serveViews(store, [answers(1)]), serveViews(store, [answers(1)])]);
  expect([await seen(), writes]).toEqual([[{ answer: 1 }], 1]);
});

it('rows in memory have no views', async () => {
  const memory = openMemoryReadStore();
  await serveViews(memory, [answers(1)]);
  await expect(sql`select * from redial_answers`.execute(memory.db)).rejects.toThrow('no such table');
  await memory.close();
});
