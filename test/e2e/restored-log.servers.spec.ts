import { randomBytes } from 'node:crypto';
import { copyFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { PostgresServer } from '#lib/read-models/testing';
import { CommandLine } from '../cli/command-line.js';
import { expectHeld } from '../support/held-log.js';
import { ReactingEngine } from '../support/reacting.js';

const masterKey = randomBytes(32).toString('base64');

/** An operator who empties a database keeps the keys of subjects: without them all content is lost. */
const emptied = {
  'was dropped': (schema: string) => `drop schema ${schema} cascade`,
  'lost its rows and kept its keys': (schema: string) => `
    do $$ declare name text; begin
      for name in select tablename from pg_tables where schemaname = '${schema}' and tablename !~ '^(.*_keys_v1|schema_version|lease.*)$' loop
        execute format('drop table ${schema}.%I cascade', name);
      end loop;
    end $$`,
};

describe('a log in a file with its rows in PostgreSQL', () => {
  let postgres: PostgresServer;
  let databaseUrl: string;
  let cli: CommandLine;
  let engine: ReactingEngine;

  beforeAll(async () => {
    postgres = await PostgresServer.start();
  });
  afterAll(() => postgres.stop());
  beforeEach(async () => {
    databaseUrl = await postgres.emptyPlace();
    process.env['DATABASE_URL'] = databaseUrl;
    cli = await CommandLine.open();
    await start();
  });
  afterEach(async () => {
    delete process.env['DATABASE_URL'];
    await engine.stop();
    await cli.close();
  });

  const start = async () => {
    engine = await ReactingEngine.start(
      { dataDir: cli.dataDir, databaseUrl, masterKey },
      undefined,
      engine?.time,
    );
    return engine;
  };
  const claimOnce = async () => {
    for (const exitCode of [0, 2]) expect(await cli.run('log', 'claim')).toMatchObject({ exitCode });
  };

  it.each(Object.entries(emptied))(
    'does nothing by itself after the database %s, until it is claimed',
    async (_, sql) => {
      const id = await engine.order();
      await engine.step(id, 'pay');
      await engine.until(() => engine.received.length === 1);
      await engine.stop();
      await postgres.sql(sql(/place_\d+/.exec(databaseUrl)?.[0] ?? ''));
      await expectHeld(start, id);
      await claimOnce();
      const claimed = await start();
      await claimed.until(() => claimed.of(id).includes('booked'));
    },
  );

  it('is older than its rows: the start is refused, and a claim alone starts it', async () => {
    const id = await engine.order();
    await engine.stop();
    const [file, backup] = ['log.sqlite', 'backup'].map((name) => join(cli.dataDir, name)) as [
      string,
      string,
    ];
    await copyFile(file, backup);
    await start();
    await engine.step(id, 'pay');
    await engine.until(() => engine.received.length === 1);
    await engine.stop();
    for (const suffix of ['-wal', '-shm']) await rm(`${file}${suffix}`, { force: true });
    await copyFile(backup, file);
    await expect(start()).rejects.toThrow(/^\[CheckpointMismatch\]/);
    await claimOnce();
    const claimed = await start();
    await claimed.step(id, 'pay');
    await claimed.until(() => claimed.of(id).includes('paid'));
  });
});
