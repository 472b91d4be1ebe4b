import { beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '#lib/kernel/testing';
import { Database } from './database.mjs';
import { SqliteEventStore } from './sqlite-event-store.js';

let folder: string;
let file: string;
beforeEach(async () => {
  folder = temporaryFolder();
  file = join(folder, 'log.sqlite');
  const store = await SqliteEventStore.open(file);
  for (const stream of ['a', 'b'])
    await store.append(
      stream,
      'no-stream',
      [0, 1, 2, 3].map((n) => event(stream, n)),
    );
  await store.close();
});

function event(stream: string, n: number) {
  const eventId = `00000000-0000-4000-8000-${stream}${String(n).padStart(11, '0')}`;
  return { eventId, type: 'ThingHappened', data: JSON.stringify({ n }), metadata: '{}' };
}

/** Changes the file without its triggers, as an owner of the file could, and restores the triggers. */
function change(sql: string): void {
  const db = new Database(file);
  const triggers = db
    .prepare<[], { name: string; sql: string }>("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'")
    .all();
  try {
    for (const { name } of triggers) db.exec(`DROP TRIGGER ${name}`);
    db.exec(sql);
    for (const trigger of triggers) db.exec(trigger.sql);
  } finally {
    db.close();
  }
}

async function findings(): Promise<readonly string[]> {
  const store = await SqliteEventStore.open(file);
  try {
    return await store.checkIntegrity();
  } finally {
    await store.close();
  }
}

describe('0.2-O3: the check of a log file', () => {
  it.each([
    ['a dropped trigger', 'DROP TRIGGER events_never_go', /trigger events_never_go is missing/],
    ['the dropped unique index', 'DROP INDEX events_by_stream', /index events_by_stream is missing/],
    [
      'an index that is not unique',
      'DROP INDEX events_by_stream; CREATE INDEX events_by_stream ON events (stream, revision)',
      /index events_by_stream was changed/,
    ],
    ['a dropped view', 'DROP VIEW log', /view log is missing/],
  ])('finds %s, and appends are refused from then on', async (_, sql, finding) => {
    const db = new Database(file);
    db.exec(sql);
    db.close();
    const store = await SqliteEventStore.open(file);
    expect(await store.checkIntegrity()).toEqual([expect.stringMatching(finding)]);
    await expect(store.append('c', 'no-stream', [event('c', 0)])).rejects.toThrow(/the file is damaged/);
    await store.close();
  });

  it.each([
    [
      'a changed last revision',
      'UPDATE events SET revision = 9 WHERE position = 8',
      /revisions of stream \d have a gap/,
    ],
    [
      'exchanged positions',
      'UPDATE events SET position = -1 WHERE position = 3; UPDATE events SET position = 3 WHERE position = 2; UPDATE events SET position = 2 WHERE position = -1',
      /the order of stream \d is not that of the log: revision 2 is at position 2, before the one before it/,
    ],
    ['a changed last position', 'UPDATE events SET position = 90 WHERE position = 8', /positions have gaps/],
    ['a changed first position', 'UPDATE events SET position = 0 WHERE position = 1', /positions have gaps/],
    ['a removed event', 'DELETE FROM events WHERE position = 3', /positions have gaps/],
    [
      'an event of no stream',
      'UPDATE events SET stream = 7 WHERE position = 8',
      /position 8 belongs to no stream/,
    ],
    [
      'data that are cut',
      `UPDATE events SET data = '{"broken' WHERE position = 8`,
      /revision 3: its data is not a JSON object/,
    ],
    [
      'metadata that are a list',
      `UPDATE events SET metadata = '[]' WHERE position = 8`,
      /revision 3: its metadata is not a JSON object/,
    ],
  ])('finds %s', async (_, sql, finding) => {
    change(sql);
    expect(await findings()).toContainEqual(expect.stringMatching(finding));
  });

  it('takes no data for damaged that are nested deeper than SQLite reads JSON', async () => {
    const data = `{"a":${'['.repeat(2_000)}${']'.repeat(2_000)}}`;
    change(`UPDATE events SET data = '${data}' WHERE position = 7`);
    expect(await findings()).toEqual([]);
    change(`UPDATE events SET data = '${data.slice(1)}' WHERE position = 8`);
    expect(await findings()).toEqual([expect.stringContaining('revision 3: its data is not a JSON object')]);
  });

  it('finds any change of positions, revisions and streams, or none of them is to be seen', async () => {
    const [whole, before] = [readFileSync(file), rows(file)];
    const column = fc.constantFrom('position', 'revision', 'stream');
    const changes = fc.record({
      column,
      row: fc.integer({ min: 1, max: 8 }),
      to: fc.integer({ min: 0, max: 10 }),
    });
    await fc.assert(
      fc.asyncProperty(changes, async ({ column: name, row, to }) => {
        writeFileSync(file, whole);
        try {
          change(`UPDATE OR FAIL events SET ${name} = ${to} WHERE position = ${row}`);
        } catch {
          return; // the file itself refuses it
        }
        expect((await findings()).length > 0).toBe(rows(file) !== before);
      }),
      { numRuns: 60 },
    );
  });
});

function rows(path: string): string {
  const db = new Database(path, { readonly: true });
  const all = db.prepare('SELECT position, stream, revision FROM events ORDER BY position').all();
  db.close();
  return JSON.stringify(all);
}

describe('0.2-X3: a file that must hold a log', () => {
  const open = () => SqliteEventStore.open(file, { mustExist: true });

  it.each([
    ['empty', '', /^\[NoLog\] there is no log in .*: the file is empty/],
    [
      'of something else',
      'not a database, but long enough to be looked at as one'.repeat(40),
      /^\[StoreUnavailable\] /,
    ],
  ])('is refused when it is %s, and nothing is written', async (_, text, message) => {
    writeFileSync(file, text);
    await expect(open()).rejects.toThrow(message);
    expect(readFileSync(file, 'utf8')).toBe(text);
    expect(readdirSync(folder)).toEqual(['log.sqlite']);
  });

  it('is refused when it is a database of another application, which is left as it is', async () => {
    rmSync(file);
    const db = new Database(file);
    db.exec('CREATE TABLE notes (text TEXT)');
    db.close();
    const before = readFileSync(file);
    await expect(open()).rejects.toThrow(/it is a database of another application/);
    await expect(SqliteEventStore.open(file)).rejects.toThrow(/it is a database of another application/);
    expect(readFileSync(file).equals(before)).toBe(true);
    expect(readdirSync(folder)).toEqual(['log.sqlite']);
  });

  it('is refused when it was cut, or the check finds it', async () => {
    writeFileSync(file, readFileSync(file).subarray(0, 8192 * 2));
    const findings = await open().then(
      async (store) => {
        const found = await store.checkIntegrity();
        await store.close();
        return found;
      },
      (error: Error) => [error.message],
    );
    expect(findings).not.toEqual([]);
  });

  it('is refused when it does not exist, and none is made', async () => {
    rmSync(file);
    await expect(open()).rejects.toThrow(/^\[StoreUnavailable\] /);
    expect(readdirSync(folder)).toEqual([]);
  });
});
