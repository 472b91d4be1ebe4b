import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { Kysely, SqliteDialect } from 'kysely';
import { Database } from '#lib/event-store-sqlite';
import type { Event } from '#lib/kernel';
import { createTables, type ReadStore } from '#lib/read-models';
import { id, openLog, type PlacedEvent, TestParts } from '#lib/read-models/testing';
import { ActivityRegistry } from '#lib/workflow';
import { runIndex } from './runs.queries.js';
import { runsModel } from './runs.read-model.js';
import { runsTable } from './runs.tables.js';

const YEAR_MS = 365 * 86_400_000;
const LATER = new Date(Date.now() + YEAR_MS);
type SchemaOfRows = ReadStore['db'] extends Kysely<infer Schema> ? Schema : never;

const start = { workflow: 'planner', version: 1, input: null, facts: {} };

let parts: TestParts;
beforeEach(() => {
  parts = new TestParts(openLog());
});
afterEach(() => parts.close());

function run(name: string, ...events: readonly Event[]): readonly PlacedEvent[] {
  const started = { type: 'WorkflowStarted', data: start };
  return [started, ...events].map((event) => ({ category: 'planner', id: id(name), event }));
}
const timer = (afterMs: number): Event => ({ type: 'TimerStarted', data: { stepId: 't', afterMs } });
const awaited: Event = { type: 'SignalAwaited', data: { stepId: 'a', signal: 'go' } };

it('pages of runs to wake have each run that is due once, what is due now first, and no run that waits', async () => {
  const soon = [run('b', timer(1000)), run('a', timer(1000)), run('c', timer(2000))];
  const now = [run('e'), run('d')];
  const others = [run('late', timer(10 * YEAR_MS)), run('waiting', awaited)];
  const events = [...soon, ...now, ...others].flat();
  const store = await parts.project(events, [runsModel(new ActivityRegistry([]), [])]);
  const index = runIndex(store);
  const found: string[] = [];
  for (
    let page = await index.toWake(LATER, '', 2);
    page.length > 0;
    page = await index.toWake(LATER, page.at(-1)?.place ?? '', 2)
  )
    found.push(...page.map(({ stream }) => stream));
  const streams = (...names: string[]) => names.map((name) => `redial_planner-${id(name)}`);
  expect(found.slice(0, 2)).toEqual(streams('d', 'e').toSorted());
  expect(found.toSorted()).toEqual(streams('a', 'b', 'c', 'd', 'e').toSorted());
});

it('runs to wake are found by the index of when they are due, in the order of pages', async () => {
  const file = new Database(':memory:');
  const asked: string[] = [];
  const db = new Kysely<SchemaOfRows>({
    dialect: new SqliteDialect({ database: file }),
    log: ({ query }) => void asked.push(query.sql),
  });
  for (const { template } of createTables([runsTable])) file.exec(template.compile(db).sql);
  await runIndex({ db }).toWake(LATER, '', 2);
  const plan = file.prepare(`explain query plan ${asked[0] ?? ''}`).all(1, 1, 1, '', 1);
  expect(plan).toMatchObject([
    { detail: expect.stringMatching(/^SEARCH .* USING INDEX .*_by_due_at_open_stream /) },
  ]);
  file.close();
});
