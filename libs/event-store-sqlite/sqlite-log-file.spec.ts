import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { Database as Connection } from 'better-sqlite3';
import { temporaryFolder } from '#lib/kernel/testing';
import { Database } from './database.mjs';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { StoreUnavailable } from '#lib/event-store';
import { SqliteEventStore } from './sqlite-event-store.js';

let folder: string;
beforeEach(async () => {
  folder = temporaryFolder();
});

const anEvent = (n: number) => ({
  eventId: `00000000-0000-4000-8000-00000000000${n}`,
  type: 'ThingHappened',
  data: `{"n":${n}}`,
  metadata: '{}',
});

/** A log of two events on stream `s`, closed. */
async function aLog(name = 'events.db'): Promise<string> {
  const file = join(folder, name);
  const store = await SqliteEventStore.open(file);
  await store.append('s', 'no-stream', [anEvent(0), anEvent(1)]);
  await store.close();
  return file;
}

function withDatabase<T>(file: string, work: (db: Connection) => T): T {
  const db = new Database(file);
  try {
    return work(db);
  } finally {
    db.close();
  }
}

describe('the file of a log', () => {
  it('is made with the folders above it, and is one file once closed', async () => {
    const file = join(folder, 'deep', 'down', 'events.db');
    const store = await SqliteEventStore.open(file);
    await store.append('s', 'any', [anEvent(0)]);
    await store.close();
    expect([file, `${file}-wal`].map(existsSync)).toEqual([true, false]);
  });

  it('can be read with any SQLite shell', async () => {
    const rows = withDatabase(await aLog(), (db) =>
      db.prepare('SELECT position, stream, revision, type, data FROM log ORDER BY position').all(),
    );
    expect(rows).toEqual([
      { position: 1, stream: 's', revision: 0, type: 'ThingHappened', data: '{"n":0}' },
      { position: 2, stream: 's', revision: 1, type: 'ThingHappened', data: '{"n":1}' },
    ]);
  });

  it.each([
    "UPDATE events SET data = '{}' WHERE position = 1",
    'UPDATE events SET position = 9 WHERE position = 2',
    'DELETE FROM events WHERE position = 2',
    'DELETE FROM events',
    "INSERT OR REPLACE INTO events VALUES (2, 1, 1, 'id', 'T', '{}', '{}')",
    "INSERT OR REPLACE INTO events VALUES (3, 1, 1, 'id', 'T', '{}', '{}')",
    "INSERT INTO events VALUES (4, 1, 2, 'id', 'T', '{}', '{}')",
    "INSERT INTO events VALUES (3, 1, 3, 'id', 'T', '{}', '{}')",
    "INSERT INTO events VALUES (3, 2, 0, 'id', 'T', '{}', '{}')",
    "UPDATE streams SET name = 'other'",
    'DELETE FROM streams',
    "INSERT OR REPLACE INTO streams VALUES (1, 'other')",
    "INSERT OR REPLACE INTO streams VALUES (2, 's')",
  ])('does not let any program do: %s', async (statement) => {
    const file = await aLog();
    withDatabase(file, (db) => {
      const before = db.prepare('SELECT * FROM log').all();
      expect(() => db.exec(statement)).toThrow(
        /(events|streams) are (only appended|only added|never changed|never deleted)/,
      );
      expect(db.prepare('SELECT * FROM log').all()).toEqual(before);
    });
  });

  it('takes what another program appends rightly, and shows it to subscribers', async () => {
    const store = await SqliteEventStore.open(await aLog());
    const seen: string[] = [];
    for await (const batch of store.subscribe(undefined, new AbortController().signal)) {
      seen.push(...batch.map((event) => event.eventId));
      if (seen.includes('theirs')) break;
      if (batch.length > 0) continue;
      const insert = "INSERT INTO events VALUES (3, 1, 2, 'theirs', 'T', '{}', '{}')";
      withDatabase(join(folder, 'events.db'), (db) => db.exec(insert));
    }
    await store.close();
    expect(seen).toEqual([anEvent(0).eventId, anEvent(1).eventId, 'theirs']);
  });
});

describe('the thread that appends', () => {
  it('starts with the first append: a store that only reads has none', async () => {
    const store = await SqliteEventStore.open(await aLog());
    const started = jest.fn();
    subscribe('worker_threads', started);
    await store.checkIntegrity();
    expect(await store.readAll({ limit: 9 })).toHaveLength(2);
    expect(started).not.toHaveBeenCalled();
    await store.append('s', 1, [anEvent(2)]);
    await store.append('s', 2, [anEvent(3)]);
    await store.close();
    unsubscribe('worker_threads', started);
    expect(started).toHaveBeenCalledTimes(1);
  });

  it('is waited for by a close while it starts', async () => {
    const file = await aLog();
    const store = await SqliteEventStore.open(file);
    const appended = store.append('s', 1, [anEvent(2)]);
    await store.close();
    expect(await appended).toMatchObject({ revision: 2 });
    expect(existsSync(`${file}-wal`)).toBe(false);
  });

  it('appends nothing to another log that took the place of the file', async () => {
    const [file, other] = [await aLog(), await aLog('other.db')];
    const store = await SqliteEventStore.open(file);
    renameSync(other, file);
    const appended = store.append('s', 1, [anEvent(2)]);
    await expect(appended).rejects.toThrow(
      `[StoreUnavailable] cannot append to the event log ${file}: the file was replaced by another log since it was opened (OTHER_LOG: log `,
    );
    await expect(appended).rejects.toThrow(`in place of ${store.logId}). Start again.`);
    await store.close();
    const events = withDatabase(file, (db) => db.prepare('SELECT count(*) FROM events').pluck().get());
    expect(events).toBe(2);
  });

  it('acknowledges nothing once the file was removed or replaced, and appends once it is back', async () => {
    const [file, other] = [await aLog(), await aLog('other.db')];
    const store = await SqliteEventStore.open(file);
    await store.append('s', 1, [anEvent(2)]);
    for (const replace of [() => undefined, () => copyFileSync(other, file)]) {
      renameSync(file, `${file}.away`);
      replace();
      await expect(store.append('s', 2, [anEvent(3)])).rejects.toThrow(
        `[StoreUnavailable] cannot append to the event log ${file}: the file was removed or replaced since it was opened (OTHER_FILE`,
      );
      renameSync(`${file}.away`, file);
    }
    expect(await store.append('s', 2, [anEvent(3)])).toMatchObject({ revision: 3 });
    await store.close();
  });

  it('acknowledges nothing once the -wal file was removed, and keeps what it acknowledged before', async () => {
    const file = await aLog();
    const store = await SqliteEventStore.open(file);
    await store.append('s', 1, [anEvent(2)]);
    rmSync(`${file}-wal`);
    await expect(store.append('s', 2, [anEvent(3)])).rejects.toThrow(
      `(OTHER_FILE: no file is at ${file}-wal)`,
    );
    await store.close();
    const events = withDatabase(file, (db) => db.prepare('SELECT count(*) FROM events').pluck().get());
    expect(events).toBe(3);
  });

  it('writes to the disk before it acknowledges a repeat, which adds nothing', async () => {
    const file = await aLog();
    const store = await SqliteEventStore.open(file);
    const written = () => statSync(`${file}-wal`).size;
    await store.append('s', 1, [anEvent(2)]);
    const before = written();
    expect(await store.append('s', 1, [anEvent(2)])).toMatchObject({ revision: 2 });
    expect(written()).toBeGreaterThan(before);
    expect(await store.readAll({ limit: 9 })).toHaveLength(3);
    await store.close();
  });

  it('names the code of an error of the file system once', async () => {
    const below = join(await aLog(), 'log.sqlite');
    await expect(SqliteEventStore.open(below)).rejects.toThrow(/\((?:ENOTDIR|EEXIST): (?!ENOTDIR|EEXIST)/);
  });

  it('makes no file when the log was removed, and appends once it is back', async () => {
    const file = await aLog();
    const store = await SqliteEventStore.open(file);
    renameSync(file, `${file}.away`);
    await expect(store.append('s', 1, [anEvent(2)])).rejects.toThrow(
      `cannot append to the event log ${file}: it cannot be opened or written (SQLITE_CANTOPEN`,
    );
    expect(existsSync(file)).toBe(false);
    renameSync(`${file}.away`, file);
    expect(await store.append('s', 1, [anEvent(2)])).toMatchObject({ revision: 2 });
    await store.close();
  });
});

describe('opening a log', () => {
  const opening = (file: string) =>
    SqliteEventStore.open(file).then(
      () => 'opened',
      (error: unknown) => error,
    );

  it('follows a symbolic link', async () => {
    const [file, link] = [await aLog(), join(folder, 'link.db')];
    symlinkSync(file, link);
    const store = await SqliteEventStore.open(link);
    expect(await store.append('s', 1, [anEvent(2)])).toMatchObject({ revision: 2 });
    await store.close();
    const events = withDatabase(file, (db) => db.prepare('SELECT count(*) FROM events').pluck().get());
    expect(events).toBe(3);
  });

  it('takes an empty file as a new log', async () => {
    const file = join(folder, 'empty.db');
    writeFileSync(file, '');
    const store = await SqliteEventStore.open(file);
    expect(await store.append('s', 'any', [anEvent(0)])).toMatchObject({ revision: 0 });
    await store.close();
  });

  it('waits while another process is about to make the file', async () => {
    const file = join(folder, 'shared.db');
    const maker = new Database(file);
    maker.exec('BEGIN IMMEDIATE');
    const opened = SqliteEventStore.open(file);
    maker.exec('ROLLBACK');
    maker.close();
    await (await opened).close();
  });

  it('gives all who open a new file at once the same log', async () => {
    const file = join(folder, 'shared.db');
    const stores = await Promise.all([1, 2, 3, 4, 5].map(() => SqliteEventStore.open(file)));
    expect(new Set(stores.map((store) => store.logId)).size).toBe(1);
    await Promise.all(stores.map((store) => store.close()));
  });

  it('refuses a file that is not a database, and leaves it alone', async () => {
    const file = join(folder, 'notes.txt');
    const text = 'Dear diary, this is not a database. '.repeat(50);
    writeFileSync(file, text);
    const error = await opening(file);
    expect(error).toBeInstanceOf(StoreUnavailable);
    expect(String(error)).toContain(
      `[StoreUnavailable] cannot open the event log ${file}: it is not a whole`,
    );
    expect(await readFile(file, 'utf8')).toBe(text);
  });

  it('refuses a database of another application, and adds nothing to it', async () => {
    const file = join(folder, 'other.db');
    withDatabase(file, (db) => db.exec('CREATE TABLE customers (name TEXT)'));
    expect(String(await opening(file))).toContain('it is a database of another application');
    const tables = withDatabase(file, (db) => db.prepare('SELECT name FROM sqlite_schema').pluck().all());
    expect(tables).toEqual(['customers']);
  });

  it.each([
    [1, 'Use the version of Redial that wrote it'],
    [3, 'Use a newer version of Redial'],
  ])('refuses format %d', async (format, fix) => {
    const file = await aLog();
    withDatabase(file, (db) => db.exec(`UPDATE meta SET value = '${format}' WHERE name = 'format_version'`));
    const error = await opening(file);
    expect(error).toBeInstanceOf(StoreUnavailable);
    expect(String(error)).toContain(`its format is ${format}, and this version of Redial knows 2. ${fix}`);
  });

  it('refuses a folder in place of the file, and a file in place of the folder', async () => {
    const taken = join(folder, 'taken');
    mkdirSync(taken);
    writeFileSync(join(folder, 'plain'), '');
    for (const file of [
      taken,
      join(folder, 'plain', 'events.db'),
      join(folder, 'plain', 'sub', 'events.db'),
    ]) {
      const error = await opening(file);
      expect(error).toBeInstanceOf(StoreUnavailable);
      expect(String(error)).toContain(`cannot open the event log ${file}: it cannot be opened or written`);
    }
  });
});
