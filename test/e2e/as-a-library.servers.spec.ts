import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { temporaryFolder } from '#lib/kernel/testing';
import { setEnvironment } from '#lib/activities/testing';
import { Redial, RedialModule, type RedialOptions } from '#lib/engine';
import { PostgresServer } from '#lib/read-models/testing';

const door = {
  machineName: 'door',
  initialState: 'closed',
  goalState: 'open',
  states: { closed: { transitions: { push: 'open' } }, open: {} },
};

describe('a Nest application with an environment and a database of its own (X-L1)', () => {
  let postgres: PostgresServer;
  let databaseUrl: string;
  let dataDir: string;
  let restore: () => void;

  beforeAll(async () => {
    postgres = await PostgresServer.start();
    databaseUrl = postgres.url;
    await postgres.sql('create table public.checkpoints (id integer primary key, note text)');
    await postgres.sql("insert into public.checkpoints values (1, 'of the application')");
    await postgres.sql('create schema shop');
    await postgres.sql('create table shop.orders (id integer primary key)');
  });
  afterAll(() => postgres.stop());

  beforeEach(() => {
    dataDir = temporaryFolder();
    restore = setEnvironment({
      LOG_LEVEL: 'info',
      PORT: '/run/application.sock',
      DATABASE_URL: 'mysql://user:secret@127.0.0.1:3306/application',
      EVENTSTOREDB_URL: 'http://nowhere',
      OPENAI_BASE_URL: 'no address',
      REDIAL_DRIVE: 'perhaps',
      REDIAL_PRICES: '/no/such/file',
    });
  });
  afterEach(() => {
    restore();
  });

  /** The tables outside of the two schemas of Redial: that of its rows, and that of its views. */
  async function ofTheApplication() {
    const tables = await postgres.sql(
      `select table_schema, table_name, column_name from information_schema.columns
       where table_schema not in ('redial', 'redial_views', 'pg_catalog', 'information_schema') order by 1, 2, 3`,
    );
    return { tables, rows: await postgres.sql('select * from public.checkpoints') };
  }

  async function run(options: RedialOptions): Promise<void> {
    @Module({ imports: [RedialModule.forRoot({ dataDir, databaseUrl, ...options })] })
    class Application {}
    const app = await NestFactory.create(Application, { logger: false, abortOnError: false });
    try {
      await app.listen(0, '127.0.0.1');
      const redial = app.get(Redial);
      await redial.defineMachine(door);
      const { sessionId } = await redial.createSession({ machineName: 'door' });
      await redial.executeTransition({ sessionId, transitionName: 'push', toState: 'open' });
      expect(await redial.getSession({ sessionId })).toMatchObject({ currentState: 'open' });
    } finally {
      await app.close();
    }
  }

  it('starts with options alone, and touches nothing outside of its schemas redial and redial_views', async () => {
    const before = await ofTheApplication();
    await run({});
    expect(await ofTheApplication()).toEqual(before);
    const made = await postgres.sql("select from pg_tables where schemaname = 'redial'");
    expect(made.length).toBeGreaterThan(20);
  });

  it.each(['public', 'shop'])(
    'refuses the schema %s, which holds tables of others',
    async (databaseSchema) => {
      const before = await ofTheApplication();
      await expect(run({ databaseSchema })).rejects.toThrow(
        /^\[StoreUnavailable\] .*the schema (public|shop) holds tables that are not Redial's: (checkpoints|orders)\. Name a schema/,
      );
      expect(await ofTheApplication()).toEqual(before);
    },
  );

  it('refuses a schema that got a table of somebody else later', async () => {
    await postgres.sql('create table redial.notes (id integer)');
    await expect(run({})).rejects.toThrow("the schema redial holds tables that are not Redial's: notes.");
    await postgres.sql('drop table redial.notes');
    await run({ databaseSchema: 'own_schema' });
    await postgres.sql('drop schema own_schema cascade');
  });

  it('refuses a name that is not a name of a schema', async () => {
    await expect(run({ databaseSchema: 'a"; drop schema shop' })).rejects.toThrow(
      '[InvalidSetting] databaseSchema',
    );
  });
});
