import { readdirSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { NestFactory } from '@nestjs/core';
import { EventLog } from '#lib/event-store';
import { temporaryFolder } from '#lib/kernel/testing';
import { RedialModule } from './module/redial.module.js';
import { Redial } from './redial.js';
import { EngineSettings } from './settings/engine-settings.js';
import { InvalidSetting } from './settings/setting.js';

const door = {
  machineName: 'door',
  initialState: 'closed',
  goalState: 'open',
  states: { closed: { transitions: { push: 'open' } }, open: {} },
};

const start = async (dataDir: string) => {
  const module = RedialModule.forRoot({ storage: 'memory', dataDir });
  return NestFactory.createApplicationContext(module, { logger: false, abortOnError: false });
};

it('an engine in memory decides, answers and replays, makes no file, and leaves nothing to the next one', async () => {
  const dataDir = temporaryFolder();
  const app = await start(dataDir);
  const redial = app.get(Redial);
  await redial.defineMachine(door);
  const { sessionId } = await redial.createSession({ machineName: 'door' });
  await redial.executeTransition({ sessionId, transitionName: 'push', toState: 'open' });
  expect(await redial.getSession({ sessionId })).toMatchObject({ currentState: 'open' });
  expect(await redial.replaySession({ sessionId })).toMatchObject({ identical: true });
  const { logId } = app.get(EventLog).store;
  const next = await start(dataDir);
  expect(await next.get(Redial).listMachines({})).toMatchObject({ items: [] });
  expect(next.get(EventLog).store.logId).not.toBe(logId);
  await Promise.all([app.close(), next.close()]);
  expect(readdirSync(dataDir)).toEqual([]);
});

it('storage in memory does not go with a server for the log or the rows, and no other word is taken', () => {
  const servers = [{ eventStoreDbUrl: 'esdb://localhost' }, { databaseUrl: 'postgres://localhost' }];
  for (const server of servers)
    expect(() => new EngineSettings({ storage: 'memory', ...server })).toThrow(
      /^\[InvalidSetting\] storage: the log or the rows are to be on a server as well/,
    );
  const misspelt = JSON.parse('{"storage":"memry"}') as object;
  expect(() => new EngineSettings(misspelt)).toThrow(InvalidSetting);
  expect(() => new EngineSettings(misspelt)).toThrow(/storage/);
});
