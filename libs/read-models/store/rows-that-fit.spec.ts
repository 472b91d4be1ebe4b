import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { Kysely, sql, SqliteDialect, type SqlBool } from 'kysely';
import { Database } from '#lib/event-store-sqlite';
import { isRejection, type Rejection } from '#lib/kernel';
import { listDecisions } from '../decisions/decisions.queries.js';
import { spentOn } from '../llm-calls/call-usage.js';
import { asRows, listLlmCalls } from '../llm-calls/llm-calls.queries.js';
import { models } from '../models.js';
import { sessionsTable } from '../sessions/sessions.tables.js';
import { summarizeLlmCalls } from '../llm-statistics/summarize-llm-calls.js';
import { llmCallsModel } from '../llm-calls/llm-calls.read-model.js';
import { llmCallsTable } from '../llm-calls/llm-calls.tables.js';
import { id } from '../testing/sample-log.js';
import { listSessions } from '../sessions/sessions.queries.js';
import { createTables } from './create-tables.js';
import { type Page, type PageRequest } from './page.js';
import { pageOfRows } from './page-of-rows.js';
import type { ReadSchema } from './read-schema.js';
import { rowsThatFit } from './rows-that-fit.js';
import { table } from './table.js';

type Numbers = { readonly numbers: { readonly key: number; readonly kind: string; readonly at: number } };

const numbersTable = table('numbers', { key: 'integer', kind: 'text', at: 'integer' }, ['key']);

let file: InstanceType<typeof Database>;
let db: Kysely<ReadSchema>;
/** Each with the keys of the rows on which it tries conditions. */
let statements: { readonly sql: string; readonly tried: Set<number> }[];

/** True for rows whose key this divides. */
const isDividedBy = (divisor: number) => sql<SqlBool>`is_divided(numbers.key, ${divisor})`;

beforeEach(() => {
  file = new Database(':memory:');
  statements = [];
  file.function('is_divided', (key: number, divisor: number) => {
    statements.at(-1)?.tried.add(key);
    return key % divisor === 0 ? 1 : 0;
  });
  const prepare = (text: string) => {
    statements.push({ sql: text, tried: new Set() });
    return file.prepare(text);
  };
  db = new Kysely({ dialect: new SqliteDialect({ database: { prepare, close: () => undefined } }) });
});
afterEach(() => {
  file.close();
});

describe('rows that fit conditions which no index answers', () => {
  const numbers = () => db.withTables<Numbers>().selectFrom('numbers').selectAll();
  const insert = (keys: readonly number[]) => {
    const statement = file.prepare('insert or ignore into numbers values (?, ?, ?)');
    file.transaction(() => keys.forEach((key) => statement.run(key, key % 2 === 0 ? 'even' : 'odd', -key)))();
  };
  beforeEach(() => {
    file.exec('create table numbers (key integer primary key, kind text, at integer)');
    file.exec('create index numbers_by_at on numbers (at)');
  });

  const keys = fc.uniqueArray(fc.integer({ min: 0, max: 60 }), { maxLength: 40 });
  const question = fc.record({
    before: keys,
    /** Keys inserted and deleted before each statement. */
    between: fc.array(fc.record({ come: keys, go: keys }), { maxLength: 5 }),
    divisor: fc.integer({ min: 1, max: 7 }),
    after: fc.option(fc.integer({ min: 0, max: 60 }), { nil: undefined }),
    order: fc.constantFrom('asc' as const, 'desc' as const),
    limit: fc.integer({ min: 1, max: 8 }),
    rowsPerStatement: fc.integer({ min: 1, max: 10 }),
  });

  type Question = typeof question extends fc.Arbitrary<infer Asked> ? Asked : never;

  /** The keys that are found, and all keys deleted meanwhile. */
  async function ask(asked: Question, between: Question['between']) {
    const { before, divisor, order, limit, rowsPerStatement } = asked;
    file.exec('delete from numbers');
    insert(before);
    statements.length = 0;
    const changes = [...between];
    const gone = new Set<number>();
    const rest = (after: number | string | undefined) => {
      const { come, go } = changes.shift() ?? { come: [], go: [] };
      for (const key of go) {
        gone.add(key);
        file.prepare('delete from numbers where key = ?').run(key);
      }
      insert(come);
      const all = numbers().orderBy('key', order);
      return after === undefined ? all : all.where('key', order === 'asc' ? '>' : '<', Number(after));
    };
    const conditions = [isDividedBy(divisor)];
    const search = {
      db,
      rows: numbers(),
      rest,
      name: 'key',
      key: sql.ref<number>('key'),
      order,
      conditions,
    } as const;
    const found = await rowsThatFit(search, asked.after, limit, rowsPerStatement);
    for (const { tried } of statements) expect(tried.size).toBeLessThanOrEqual(rowsPerStatement);
    return { shown: found.map(({ key }) => key), gone };
  }

  it('are those of one statement, while no statement tries more rows than it may, and rows that come and go in between neither repeat nor hide others', async () => {
    const property = fc.asyncProperty(question, async (asked) => {
      const { before, between, divisor, after, order, limit } = asked;
      const isLater = (a: number, b: number) => (order === 'asc' ? a > b : a < b);
      const fits = (key: number) => key % divisor === 0 && (after === undefined || isLater(key, after));
      const inOrder = (some: readonly number[]) =>
        [...new Set(some)].toSorted((a, b) => (isLater(a, b) ? 1 : -1));
      const all = inOrder(before.filter(fits));
      expect((await ask(asked, [])).shown).toEqual(all.slice(0, limit));

      const { shown, gone } = await ask(asked, between);
      expect(shown).toEqual(inOrder(shown).filter(fits).slice(0, limit));
      const end = shown.length === limit ? shown.at(-1) : undefined;
      const passed = all.filter((key) => end === undefined || !isLater(key, end));
      expect(shown).toEqual(expect.arrayContaining(passed.filter((key) => !gone.has(key))));
    });
    await fc.assert(property, { numRuns: 300 });
  });

  it('are read in pages, each row once, by statements that try at most 1,000 rows', async () => {
    insert(Array.from({ length: 5_500 }, (_, key) => key));
    const pages = (request: PageRequest) =>
      pageOfRows(request, {
        list: 'numbers',
        rows: numbers(),
        table: numbersTable,
        filter: { db, indexed: [], equal: { kind: 'odd' }, conditions: [isDividedBy(601)] },
        by: 'key',
        order: 'desc',
        toItems: (rows) => rows.map(({ key }) => key),
      });
    const first = itemsOf(await pages({ limit: 3 }));
    expect(first).toMatchObject({ items: [5409, 4207, 3005] });
    expect(itemsOf(await pages({ limit: 3, cursor: first.nextCursor ?? '' }))).toEqual({
      items: [1803, 601],
      nextCursor: null,
    });
    expect(statements.length).toBeGreaterThan(6);
    expect(Math.max(...statements.map(({ tried }) => tried.size))).toBeGreaterThan(400);
    for (const { tried } of statements) expect(tried.size).toBeLessThanOrEqual(1_000);
  });

  it('and are within a span of time are found by its index where they are few, and by short statements where they are many', async () => {
    insert(Array.from({ length: 5_500 }, (_, key) => key));
    for (const [first, last, passesOthers] of [
      [1_000, 1_999, false],
      [1_000, 2_000, true],
      [0, 5_499, false],
      [1_000, 999, false],
    ] as const) {
      const span = [sql<SqlBool>`numbers.at between ${-last} and ${-first}`];
      const pages = (request: PageRequest) =>
        pageOfRows(request, {
          list: 'numbers',
          rows: numbers(),
          table: numbersTable,
          filter: { db, indexed: [], equal: { kind: 'odd' }, conditions: [isDividedBy(199)], span },
          by: 'key',
          order: 'desc',
          toItems: (rows) => rows.map(({ key }) => key),
        });
      statements.length = 0;
      const one = itemsOf(await pages({ limit: 2 }));
      const rest = one.nextCursor === null ? [] : itemsOf(await pages({ cursor: one.nextCursor })).items;
      const fitting = Array.from({ length: 14 }, (_, n) => 199 * (27 - 2 * n));
      expect([...one.items, ...rest]).toEqual(fitting.filter((key) => key >= first && key <= last));
      const tried = statements.flatMap((each) => [...each.tried]);
      expect(tried.some((key) => key < first || key > last)).toBe(passesOthers);
      for (const each of statements) expect(each.tried.size).toBeLessThanOrEqual(1_000);
    }
  });

  it('are read by two statements when no condition is given: sizes, then rows', async () => {
    insert([1, 2, 3]);
    const filter = { db, indexed: ['kind'] as const, equal: { kind: 'odd' } };
    const list = {
      list: 'numbers',
      rows: numbers(),
      table: numbersTable,
      filter,
      by: 'key',
    };
    const page = await pageOfRows({}, { ...list, toItems: (rows) => rows.map(({ key }) => key) });
    expect(page).toEqual({ items: [1, 3], nextCursor: null });
    expect(statements).toHaveLength(2);
  });

  it('let other work of the process come between two statements', async () => {
    insert(Array.from({ length: 3 }, (_, key) => key));
    let turns = 0;
    const turn = () => {
      turns++;
      waiting = setImmediate(turn);
    };
    let waiting = setImmediate(turn);
    const rest = (after: number | string | undefined) => {
      expect(turns).toBeGreaterThanOrEqual(statements.length);
      return numbers()
        .where('key', '>', Number(after ?? -1))
        .orderBy('key');
    };
    const search = {
      db,
      rows: numbers(),
      rest,
      name: 'key',
      key: sql.ref<number>('key'),
      order: 'asc',
    } as const;
    await rowsThatFit({ ...search, conditions: [isDividedBy(7)] }, 0, 5, 1);
    clearImmediate(waiting);
    expect(turns).toBeGreaterThan(1);
  });
});

describe('a list with conditions', () => {
  const text = ['x', undefined];
  const times = { from: ['2026-01-01T00:00:00Z', undefined], to: ['2026-02-01T00:00:00Z', undefined] };
  const lists: [string, (filter: object) => Promise<unknown>, Record<string, readonly unknown[]>][] = [
    [
      llmCallsTable.name,
      (filter) => listLlmCalls(db, filter, {}, asRows),
      {
        runId: text,
        workflow: text,
        sessionId: text,
        specialistId: text,
        machineName: text,
        model: text,
        ...times,
      },
    ],
    [
      sessionsTable.name,
      (filter) => listSessions(db, filter),
      { machineName: text, currentState: text, status: text },
    ],
    ['decision', (filter) => listDecisions(db, filter), { machineName: text, how: text, ...times }],
  ];

  it.each(lists)(
    'of %s reads them by an index in the order of its key, and sorts none',
    async (name, list, members) => {
      const tables = models.flatMap(({ kinds }) => kinds.map(({ table }) => table));
      for (const { template } of createTables(tables)) file.exec(template.compile(db).sql);
      for (const filter of combinations(members)) await list(filter);
      const plans = statements.map(({ sql: asked }) => planOf(asked));
      expect(plans.length).toBeGreaterThan(1);
      for (const plan of plans) {
        const read = plan.filter((line) => new RegExp(`^(SCAN|SEARCH) ${name}( |$)`).test(line));
        expect(read.length).toBeGreaterThan(0);
        // Rows of SQLite lie in the order of an INTEGER PRIMARY KEY.
        const inOrder =
          /^SCAN decision$|USING INTEGER PRIMARY KEY|USING (COVERING )?INDEX \w+(number|position|requested_at)\b/;
        for (const line of read) expect(line).toMatch(inOrder);
        expect(plan.filter((line) => line.startsWith('USE TEMP B-TREE'))).toEqual([]);
      }
    },
  );

  it.each([
    [sessionsTable.name, (idPrefix: string) => listSessions(db, { idPrefix, status: 'done' })],
    [llmCallsTable.name, (idPrefix: string) => listLlmCalls(db, { idPrefix, model: 'x' }, {}, asRows)],
  ] as const)('of %s by the beginning of ids goes by the index of ids first', async (name, list) => {
    const tables = models.flatMap(({ kinds }) => kinds.map(({ table }) => table));
    for (const { template } of createTables(tables)) file.exec(template.compile(db).sql);
    await list('0a1b');
    const [few = []] = statements.map(({ sql: asked }) => planOf(asked));
    expect(few.filter((line) => line.includes(name))).toEqual([
      expect.stringMatching(
        /^SEARCH \w+ USING (COVERING )?INDEX sqlite_autoindex\w+ \(\w+_id>\? AND \w+_id<\?\)$/,
      ),
    ]);
  });

  it('of a round, or of a session, is summed up from its calls alone', async () => {
    for (const { template } of createTables(llmCallsModel.kinds.map(({ table }) => table)))
      file.exec(template.compile(db).sql);
    for (const question of [{ roundId: id('round') }, { sessionId: id('session') }])
      await summarizeLlmCalls(db, question);
    const read = statements.flatMap(({ sql: asked }) => planOf(asked)).filter((line) => / call /.test(line));
    expect(read.filter((line) => /_by_round_id /.test(line)).length).toBeGreaterThan(1);
    expect(read.filter((line) => /_by_session_id_number /.test(line)).length).toBeGreaterThan(1);
    expect(read.filter((line) => line.startsWith('SCAN'))).toEqual([]);
  });

  it('a specialist spent on a session is summed up from the calls of the session', async () => {
    for (const { template } of createTables(llmCallsModel.kinds.map(({ table }) => table)))
      file.exec(template.compile(db).sql);
    await spentOn(db, { machineName: 'm', specialistId: 'alice', sessionId: id('session') });
    const read = statements
      .flatMap(({ sql: asked }) => planOf(asked))
      .filter((line) => / llm_calls_v/.test(line));
    expect(read).toEqual([expect.stringMatching(/_by_session_id_number /)]);
  });

  function planOf(asked: string): readonly string[] {
    const rows = file.prepare(`explain query plan ${asked}`).all(Array.from(asked.matchAll(/\?/g), () => 1));
    return (rows as { detail: string }[]).map(({ detail }) => detail);
  }
});

function combinations(members: Record<string, readonly unknown[]>): readonly object[] {
  return Object.entries(members).reduce<readonly object[]>(
    (all, [name, values]) =>
      all.flatMap((one) => values.map((value) => (value === undefined ? one : { ...one, [name]: value }))),
    [{}],
  );
}

function itemsOf<Item>(page: Page<Item> | Rejection): Page<Item> {
  if (isRejection(page)) throw new Error(page.message);
  return page;
}
