import { randomBytes } from 'node:crypto';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Test, type TestingModule } from '@nestjs/testing';
import type { MachineEvent } from '#lib/decisions/machines';
import type { SessionCreated } from '#lib/decisions/session';
import { ProjectionRunner } from '#lib/read-models';
import { RedialModule } from './module/redial.module.js';
import {
  facts,
  FoldedRows,
  type Folds,
  type SchemaOf,
  table,
  totals,
  type UserFold,
} from './public/folds.js';
import { Redial } from './redial.js';

const definitionsTable = table('definitions_v1', { machine_name: 'text', total: 'integer' }, [
  'machine_name',
]);
const definitions = totals(definitionsTable, { add: ['total'] });

const onMachine: Folds<MachineEvent> = {
  MachineDefined: (page, { data: { machineName } }) => {
    if (machineName === 'unwelcome') throw new Error('it is not welcome');
    page.count(definitions, { machineName, total: 1 });
  },
};

const counted: UserFold = {
  name: 'definitions',
  version: 1,
  kinds: [definitions],
  on: { machine: onMachine },
};
const watching: UserFold = { name: 'watching', version: 1, kinds: [], on: { machine: () => undefined } };

const notesTable = table('notes_v1', { session_id: 'text', note: 'text' }, ['session_id']);
const notes = facts(notesTable);
const onSession: Folds<SessionCreated> = {
  SessionCreated: (page, { data: { metaJson = {} } }, sessionId) => {
    if (metaJson['isUnwelcome']) throw new Error('it is not welcome');
    page.add(notes, { sessionId, note: JSON.stringify(metaJson) });
  },
};
const noted: UserFold = { name: 'notes', version: 1, kinds: [notes], on: { session: onSession } };

const machine = (machineName: string) => ({
  machineName,
  initialState: 'open',
  goalState: 'closed',
  states: { open: { transitions: { close: { target: 'closed' } } }, closed: {} },
});

const masterKey = randomBytes(32).toString('base64');

describe('folds of the application', () => {
  let app: TestingModule | undefined;
  afterEach(async () => {
    await app?.close();
  });

  async function start(...folds: readonly UserFold[]): Promise<TestingModule> {
    const imports = [RedialModule.forRoot({ storage: 'memory', masterKey, folds })];
    app = await Test.createTestingModule({ imports }).compile();
    await app.init();
    return app;
  }
  const totalsIn = (of: TestingModule) =>
    of
      .get(FoldedRows)
      .ask('definitions', (db) =>
        db
          .withTables<SchemaOf<typeof definitionsTable>>()
          .selectFrom('definitions_v1')
          .selectAll()
          .orderBy('machine_name')
          .execute(),
      );

  it('have rows of their own, with what this process has written', async () => {
    const engine = await start(counted);
    await engine.get(Redial).defineMachine(machine('a'));
    await engine.get(Redial).defineMachine({ ...machine('a'), consensusThreshold: 0.5 });
    await engine.get(Redial).defineMachine(machine('b'));
    expect(await totalsIn(engine)).toEqual([
      { machine_name: 'a', total: 2 },
      { machine_name: 'b', total: 1 },
    ]);
  });

  it('are set aside when they throw, with the reason, and stop neither each other nor the engine', async () => {
    const engine = await start(counted, watching);
    const redial = engine.get(Redial);
    await redial.defineMachine(machine('a'));
    await redial.defineMachine(machine('unwelcome'));
    await redial.defineMachine(machine('b'));
    const runner = engine.get(ProjectionRunner);
    const statusOf = async (name: string) => (await runner.status()).find((one) => one.name === name);
    while ((await statusOf('definitions'))?.status !== 'stopped')
      await new Promise((resolve) => setImmediate(resolve));
    expect((await statusOf('definitions'))?.error).toMatchObject({
      type: 'MachineDefined',
      message: expect.stringContaining('it is not welcome'),
    });
    await runner.caughtUpWithHead(20_000, ['watching', 'machines']);
    expect(await redial.listMachines({})).toMatchObject({ items: { length: 3 } });
    expect(await redial.listMachines({})).not.toHaveProperty('standsStill');
    expect(await totalsIn(engine)).toEqual([{ machine_name: 'a', total: 1 }]);
  });

  it('that throw keep no content that was erased, and let the erasure end', async () => {
    const engine = await start(noted);
    const redial = engine.get(Redial);
    const notesIn = () =>
      engine
        .get(FoldedRows)
        .ask('notes', (db) =>
          db
            .withTables<SchemaOf<typeof notesTable>>()
            .selectFrom('notes_v1')
            .select('note')
            .orderBy('note')
            .execute(),
        );
    await redial.defineMachine(machine('a'));
    await redial.createSession({ machineName: 'a', subject: 'ann', metaJson: { text: 'of ann' } });
    await redial.createSession({ machineName: 'a', metaJson: { text: 'of nobody' } });
    const before = await notesIn();
    await redial.createSession({ machineName: 'a', metaJson: { isUnwelcome: true } });
    expect(await redial.eraseSubject({ subject: 'ann' })).toMatchObject({ subject: 'ann', streams: 1 });
    expect(before.map(({ note }) => note)).toEqual(['{"text":"of ann"}', '{"text":"of nobody"}']);
    expect((await notesIn()).map(({ note }) => note)).toEqual(['{"text":"of nobody"}', '{}']);
  });

  it.each<[string, UserFold, RegExp]>([
    ['of the name of a model', { ...watching, name: 'gates' }, /another one of its name/],
    [
      'whose name begins those of tables',
      { ...watching, name: 'session' },
      /tables of Redial begin with its name/,
    ],
    ['whose name is none', { ...watching, name: 'Orders!' }, /small letters/],
    ['without a version', { ...watching, version: 0 }, /whole number from 1/],
    [
      'with a table of another version',
      { ...counted, version: 2 },
      /table definitions_v1 of fold definitions/,
    ],
  ])('are refused: one %s', async (_, fold, why) => {
    await expect(start(fold)).rejects.toThrow(why);
  });
});
