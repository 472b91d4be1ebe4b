import { execFileSync } from 'node:child_process';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { temporaryFolder } from '#lib/kernel/testing';
import { door } from '../support/door.js';
import { ServerProcess } from '../support/server-process.js';
import { HttpCaller } from './http-caller.js';

let server: ServerProcess;

beforeEach(async () => {
  const dataDir = temporaryFolder();
  server = await ServerProcess.start({ REDIAL_DATA_DIR: dataDir, LOG_LEVEL: 'fatal' });
});

afterEach(async () => {
  await server.kill();
});

/** The size that files of the server may have stands in for a disk. */
function limitFilesTo(bytes: number | 'unlimited'): void {
  execFileSync('prlimit', [`--pid=${server.pid}`, `--fsize=${bytes}:unlimited`]);
}

it('a server whose disk takes no more is unready, also while nobody appends, and ready with more space', async () => {
  const caller = new HttpCaller(server.url);
  const create = () => caller.post('/v1/sessions', { machineName: door.machineName });
  const ready = () => caller.get('/health/ready');
  expect((await caller.post('/v1/machines', door)).status).toBe(201);
  expect((await ready()).status).toBe(200);
  limitFilesTo(0);
  expect(await ready()).toMatchObject({ status: 503, body: { parts: [{ part: 'log' }] } });
  expect((await create()).status).toBe(503);
  limitFilesTo('unlimited');
  expect((await create()).status).toBe(201);
  // Rows that were due meanwhile are tried again, within a second.
  while ((await ready()).status !== 200) await setImmediate();
});
